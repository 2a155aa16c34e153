-- Open questions can be extended, addressed to somebody else and withdrawn; people are reminded of them, by Slack and mail too.
ALTER TABLE interactions ADD COLUMN assignee_name TEXT;
ALTER TABLE interactions ADD COLUMN assignee_email TEXT;
ALTER TABLE interactions ADD COLUMN link INTEGER NOT NULL DEFAULT 0; -- number of the link that answers it; earlier ones are refused
ALTER TABLE interactions ADD COLUMN changed_by TEXT; -- id of the key that extended, readdressed or withdrew it last
ALTER TABLE interactions ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)); -- 1: it expired by request
ALTER TABLE interactions ADD COLUMN remind_at INTEGER; -- when its reminder is due; NULL: no reminder is left
UPDATE interactions SET remind_at = expires_at - MIN(86400000, (expires_at - created_at) / 4) WHERE status = 'open';
CREATE INDEX interactions_to_remind ON interactions (remind_at) WHERE status = 'open' AND remind_at IS NOT NULL;

-- An event about a question, as it is then: of its run and, since a child's question is the parent's too, of the parent.
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

DROP TRIGGER child_asks;
DROP TRIGGER interaction_opened;
CREATE TRIGGER interaction_opened AFTER INSERT ON interactions BEGIN
  UPDATE runs SET open_interactions = open_interactions + 1, heartbeat_at = NEW.created_at WHERE id = NEW.run_id;
  INSERT INTO question_event VALUES (NEW.id, 'run.input_required', '{}');
END;

DROP TRIGGER interaction_reopened;
CREATE TRIGGER interaction_reopened AFTER UPDATE OF status ON interactions WHEN OLD.status = 'canceled' AND NEW.status = 'open' BEGIN
  UPDATE runs SET open_interactions = open_interactions + 1, heartbeat_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
  INSERT INTO question_event VALUES (NEW.id, 'run.input_required', '{}');
END;

DROP TRIGGER interaction_settled;
CREATE TRIGGER interaction_settled AFTER UPDATE OF status ON interactions WHEN OLD.status = 'open' AND NEW.status <> 'open' BEGIN
  UPDATE runs SET open_interactions = open_interactions - 1, heartbeat_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
  INSERT INTO new_event SELECT NEW.run_id, iif(NEW.status = 'answered', 'run.input_received', 'run.input_expired'),
    json_object('interaction_id', NEW.id, 'kind', NEW.kind, 'stage', NEW.stage, 'answered_by', NEW.answered_by)
  WHERE NEW.status IN ('answered', 'expired') AND NEW.withdrawn = 0;
  INSERT INTO question_event SELECT NEW.id, 'run.input_withdrawn', json_object('key_id', NEW.changed_by) WHERE NEW.withdrawn;
END;

CREATE TRIGGER interaction_extended AFTER UPDATE OF expires_at ON interactions WHEN NEW.expires_at > OLD.expires_at BEGIN
  INSERT INTO question_event VALUES (NEW.id, 'run.input_extended', json_object('key_id', NEW.changed_by));
END;

CREATE TRIGGER interaction_readdressed AFTER UPDATE OF link ON interactions WHEN NEW.link > OLD.link BEGIN
  INSERT INTO question_event VALUES (NEW.id, 'run.input_readdressed', json_object('key_id', NEW.changed_by));
END;

CREATE TRIGGER interaction_reminded AFTER UPDATE OF remind_at ON interactions
WHEN NEW.status = 'open' AND OLD.remind_at IS NOT NULL AND NEW.remind_at IS NULL BEGIN
  INSERT INTO question_event VALUES (NEW.id, 'run.input_reminder', '{}');
END;

-- How an endpoint is told: a signed webhook, a message of a Slack app's incoming webhook, or a mail.
ALTER TABLE webhook_endpoints ADD COLUMN kind TEXT NOT NULL DEFAULT 'http' CHECK (kind IN ('http', 'slack', 'email'));
