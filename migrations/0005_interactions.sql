-- An interaction: a question of a run to a person, and the answer.
CREATE TABLE interactions (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  run_id TEXT NOT NULL,
  step TEXT NOT NULL, -- step that asks
  generation INTEGER NOT NULL, epoch INTEGER NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('clarification', 'feedback', 'approval')),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'expired', 'canceled')),
  stage TEXT NOT NULL, prompt TEXT NOT NULL,
  artifacts TEXT NOT NULL, -- JSON: ids of the artifacts it is about
  questions TEXT NOT NULL, -- JSON
  answer_schema TEXT NOT NULL, -- JSON Schema
  answer TEXT, -- JSON
  answered_by TEXT,
  assignee_name TEXT, assignee_email TEXT,
  link INTEGER NOT NULL DEFAULT 0, -- number of the link that answers it; links with another number are refused
  changed_by TEXT, -- {sql} id of the key that extended, reassigned or withdrew it last
  withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)), -- 1: it was withdrawn; its status is then `expired`
  on_expiry TEXT NOT NULL CHECK (on_expiry IN ('proceed', 'fail')),
  expires_at INTEGER NOT NULL,
  remind_at INTEGER, -- {sql} when its reminder is due; NULL: no reminder is left
  acknowledged INTEGER NOT NULL DEFAULT 0, -- {0 | 1} 1 once the instance has read how it ended
  created_at INTEGER NOT NULL, settled_at INTEGER,
  UNIQUE (run_id, step, generation, epoch)
) STRICT;
CREATE INDEX interactions_by_owner ON interactions (tenant_id, mode, id);
CREATE INDEX interactions_by_status ON interactions (tenant_id, mode, status, id);
CREATE INDEX interactions_open ON interactions (expires_at) WHERE status = 'open';
CREATE INDEX interactions_to_remind ON interactions (remind_at) WHERE status = 'open' AND remind_at IS NOT NULL;
CREATE INDEX interactions_unacknowledged ON interactions (settled_at) WHERE acknowledged = 0;

-- Writes an event with the present state of a question: an event of its run and, because a child's question is the parent's too, of the parent.
-- A view with a trigger, so that six triggers can call it like a procedure.
CREATE VIEW question_event AS SELECT id AS interaction_id, '' AS type, '{}' AS more FROM interactions;

CREATE TRIGGER question_event_insert INSTEAD OF INSERT ON question_event BEGIN
  INSERT INTO new_event
  SELECT iif(place, r.parent_id, r.id), NEW.type, json_patch(json_patch(json_object('interaction_id', i.id, 'kind', i.kind, 'stage', i.stage,
      'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', i.expires_at / 1000.0, 'unixepoch'), 'link', i.link,
      'assignee', json(iif(i.assignee_name IS NULL AND i.assignee_email IS NULL, NULL,
        json_object('name', i.assignee_name, 'email', i.assignee_email)))), NEW.more), iif(place, json_object('child_id', r.id), '{}'))
  FROM interactions i JOIN runs r ON r.id = i.run_id JOIN (SELECT 0 AS place UNION ALL SELECT 1)
  WHERE i.id = NEW.interaction_id AND (place = 0 OR r.parent_id IS NOT NULL);
END;

-- A question makes its run wait (open_interactions), counts in its stored bytes, and is an event. Triggers, because questions are opened by
-- instances, reopened by retries, and closed by people, keys, the maintenance worker and the end of the run.
CREATE TRIGGER interaction_opened AFTER INSERT ON interactions BEGIN
  UPDATE runs SET open_interactions = open_interactions + 1, heartbeat_at = NEW.created_at,
    stored_bytes = stored_bytes + 1000 + length(CAST(NEW.prompt AS BLOB)) + length(CAST(NEW.questions AS BLOB))
      + length(CAST(NEW.answer_schema AS BLOB))
  WHERE id = NEW.run_id;
  INSERT INTO question_event VALUES (NEW.id, 'run.input_required', '{}');
END;

-- An answer counts in the run's stored bytes. Not while the run is archived: the texts that then leave and return are counted already.
CREATE TRIGGER answer_counted AFTER UPDATE OF answer ON interactions
WHEN NEW.answer IS NOT OLD.answer AND (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + COALESCE(length(CAST(NEW.answer AS BLOB)), 0) - COALESCE(length(CAST(OLD.answer AS BLOB)), 0)
  WHERE id = NEW.run_id;
END;

-- A retry reopens the questions that the end of the run canceled: people keep their links.
CREATE TRIGGER interaction_reopened AFTER UPDATE OF status ON interactions WHEN OLD.status = 'canceled' AND NEW.status = 'open' BEGIN
  UPDATE runs SET open_interactions = open_interactions + 1, heartbeat_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
  INSERT INTO question_event VALUES (NEW.id, 'run.input_required', '{}');
END;

CREATE TRIGGER interaction_closed AFTER UPDATE OF status ON interactions WHEN OLD.status = 'open' AND NEW.status <> 'open' BEGIN
  UPDATE runs SET open_interactions = open_interactions - 1, heartbeat_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
  INSERT INTO new_event SELECT NEW.run_id, iif(NEW.status = 'answered', 'run.input_received', 'run.input_expired'),
    json_object('interaction_id', NEW.id, 'kind', NEW.kind, 'stage', NEW.stage, 'answered_by', NEW.answered_by)
  WHERE NEW.status IN ('answered', 'expired') AND NEW.withdrawn = 0;
  INSERT INTO question_event SELECT NEW.id, 'run.input_withdrawn', json_object('key_id', NEW.changed_by) WHERE NEW.withdrawn;
END;

CREATE TRIGGER interaction_extended AFTER UPDATE OF expires_at ON interactions WHEN NEW.expires_at > OLD.expires_at BEGIN
  INSERT INTO question_event VALUES (NEW.id, 'run.input_extended', json_object('key_id', NEW.changed_by));
END;

CREATE TRIGGER interaction_reassigned AFTER UPDATE OF link ON interactions WHEN NEW.link > OLD.link BEGIN
  INSERT INTO question_event VALUES (NEW.id, 'run.input_reassigned', json_object('key_id', NEW.changed_by));
END;

-- The maintenance worker clears a reminder that is due; the event is then written once, however often the worker tries.
CREATE TRIGGER interaction_reminded AFTER UPDATE OF remind_at ON interactions
WHEN NEW.status = 'open' AND OLD.remind_at IS NOT NULL AND NEW.remind_at IS NULL BEGIN
  INSERT INTO question_event VALUES (NEW.id, 'run.input_reminder', '{}');
END;
