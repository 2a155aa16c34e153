-- A key's row is settled in the transaction that writes: with the answer, or with the id of what was made or changed, from which a
-- repeated request makes the answer.

ALTER TABLE idempotency_keys ADD COLUMN made TEXT; -- NULL until a request under the key has written

-- A key writes once: a batch that would write again, or whose request lost the key to another one, is undone as a whole.
CREATE TRIGGER idempotency_key_written BEFORE UPDATE OF made ON idempotency_keys WHEN NEW.owner <> OLD.owner OR OLD.made IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'idempotency_key_overtaken');
END;

CREATE INDEX idempotency_keys_by_body ON idempotency_keys (body_key) WHERE body_key IS NOT NULL;
