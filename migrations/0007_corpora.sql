-- What retrieval searches: corpora, and the evidence of runs. Both are pools of documents, which are found by their passages.

-- The passages that one search covers.
CREATE TABLE pools (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- prefix of each of its terms in the full-text index, so that pools share nothing there
  id TEXT NOT NULL UNIQUE, -- id of the corpus, or of the run
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  passages INTEGER NOT NULL DEFAULT 0,
  terms INTEGER NOT NULL DEFAULT 0, -- in all passages
  embedded INTEGER NOT NULL DEFAULT 0, -- passages that have a vector
  removed_at INTEGER -- its owner was deleted; the maintenance worker deletes the rest
) STRICT;
CREATE INDEX pools_removed ON pools (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE corpora (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  name TEXT NOT NULL, description TEXT NOT NULL,
  language TEXT, -- of documents that do not name theirs
  metadata TEXT NOT NULL, -- JSON
  embedding_model TEXT, -- NULL: its passages are found by words alone
  due_at INTEGER, -- when to continue with uploads, passages and vectors; NULL: all is done
  attempts INTEGER NOT NULL DEFAULT 0, -- failures in a row
  failure TEXT, -- the latest of them
  llm_calls INTEGER NOT NULL DEFAULT 0, -- embedding requests for passages and for queries outside runs, failed ones included
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL, -- NULL while no price is known
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX corpora_by_owner ON corpora (tenant_id, mode, id);
CREATE INDEX corpora_due ON corpora (due_at) WHERE due_at IS NOT NULL;

-- Quota of corpora.
CREATE TRIGGER corpus_counted AFTER INSERT ON corpora BEGIN INSERT INTO usage_change VALUES (NEW.tenant_id, 'corpora', 1); END;
CREATE TRIGGER corpus_uncounted AFTER DELETE ON corpora BEGIN INSERT INTO usage_change VALUES (OLD.tenant_id, 'corpora', -1); END;

-- Adds what embeddings use to the tenant's usage by day and budget, as run_used does for runs.
CREATE TRIGGER corpus_used AFTER UPDATE OF llm_calls, input_tokens, cost_usd ON corpora
WHEN NEW.llm_calls <> OLD.llm_calls OR NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO used
  SELECT NEW.tenant_id, NEW.mode, '', NULL, NEW.embedding_model, NEW.llm_calls - OLD.llm_calls, NEW.cost_usd IS NOT NULL,
    NEW.input_tokens - OLD.input_tokens, 0, 0, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0)
  WHERE NEW.llm_calls <> OLD.llm_calls;
  INSERT INTO spending SELECT NEW.tenant_id, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0) WHERE NEW.mode = 'live';
END;

CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  pool INTEGER NOT NULL REFERENCES pools (number),
  external_id TEXT, -- the caller's own
  digest TEXT NOT NULL, -- of everything that was given: tells a repeated document from a changed one with the same external_id
  upload_id TEXT,
  title TEXT, source TEXT NOT NULL, jurisdiction TEXT, language TEXT, date TEXT, url TEXT,
  metadata TEXT NOT NULL, -- JSON
  content TEXT, -- NULL when it is large and in R2 under content_key
  content_key TEXT,
  size INTEGER NOT NULL, -- bytes
  sha256 TEXT NOT NULL,
  passages INTEGER NOT NULL DEFAULT 0, -- indexed so far
  stored_bytes INTEGER NOT NULL DEFAULT 0, -- that the tenant's quota counts, passages included; the store adds theirs
  status TEXT NOT NULL DEFAULT 'indexing' CHECK (status IN ('indexing', 'embedding', 'ready')),
  created_at INTEGER NOT NULL,
  UNIQUE (pool, external_id)
) STRICT;
CREATE INDEX documents_by_pool ON documents (pool, id);
CREATE INDEX documents_tongues ON documents (pool, language, jurisdiction);
CREATE INDEX documents_unready ON documents (pool, status) WHERE status <> 'ready';
CREATE INDEX documents_of_upload ON documents (upload_id, status) WHERE upload_id IS NOT NULL;
CREATE INDEX documents_content ON documents (content_key) WHERE content_key IS NOT NULL;

-- A new document: its object is no orphan any more, its corpus has work to do, and quotas count it. Of the evidence of runs they count only
-- the bytes.
CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN
  DELETE FROM orphans WHERE key = NEW.content_key;
  UPDATE corpora SET due_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE id = (SELECT id FROM pools WHERE number = NEW.pool) AND due_at IS NULL;
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', NEW.stored_bytes FROM pools WHERE number = NEW.pool;
  INSERT INTO usage_change SELECT tenant_id, 'documents', 1 FROM pools WHERE number = NEW.pool AND substr(id, 1, 4) = 'cor_';
END;

CREATE TRIGGER document_bytes_counted AFTER UPDATE OF stored_bytes ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', NEW.stored_bytes - OLD.stored_bytes FROM pools WHERE number = NEW.pool;
END;

CREATE TRIGGER passages_counted AFTER UPDATE OF passages ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'passages', NEW.passages - OLD.passages FROM pools
  WHERE number = NEW.pool AND substr(id, 1, 4) = 'cor_';
END;

CREATE TRIGGER document_uncounted AFTER DELETE ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', -OLD.stored_bytes FROM pools WHERE number = OLD.pool;
  INSERT INTO usage_change SELECT tenant_id, 'documents', -1 FROM pools WHERE number = OLD.pool AND substr(id, 1, 4) = 'cor_';
  INSERT INTO usage_change SELECT tenant_id, 'passages', -OLD.passages FROM pools WHERE number = OLD.pool AND substr(id, 1, 4) = 'cor_';
END;

-- Verbatim slices of documents: a search finds them, a citation names them.
CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- callers know it as <document>.<ordinal>
  pool INTEGER NOT NULL, document_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL, -- from 1
  begins INTEGER NOT NULL, -- UTF-16 code units in the document
  ends INTEGER NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  terms INTEGER NOT NULL,
  embedded INTEGER NOT NULL DEFAULT 0,
  vector BLOB, -- 32-bit floats, little-endian, of unit length; NULL when it is in Vectorize
  signs BLOB, -- a bit for each number of the vector: 1 when it is positive
  UNIQUE (document_id, ordinal)
) STRICT;
CREATE INDEX passages_of_pool ON passages (pool, embedded);

-- Vectors of deleted passages that Vectorize still has. The maintenance worker deletes them.
CREATE TABLE stray_vectors (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The full-text index has terms, not words: src/retrieval/terms.ts makes them, by language and jurisdiction, so SQLite only splits at blanks.
CREATE VIRTUAL TABLE passages_index USING fts5 (head, body, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE passages_terms USING fts5vocab (passages_index, instance);

-- The pool's sums, from which BM25 takes averages, follow its passages. Deletion also removes the passage from the index and notes its vector.
-- The index is filled by the store, which makes the terms.
CREATE TRIGGER passage_added AFTER INSERT ON passages BEGIN
  UPDATE pools SET passages = passages + 1, terms = terms + NEW.terms WHERE number = NEW.pool;
END;

CREATE TRIGGER passage_embedded AFTER UPDATE OF embedded ON passages WHEN NEW.embedded > OLD.embedded BEGIN
  UPDATE pools SET embedded = embedded + 1 WHERE number = NEW.pool;
END;

CREATE TRIGGER passage_removed AFTER DELETE ON passages BEGIN
  UPDATE pools SET passages = passages - 1, terms = terms - OLD.terms, embedded = embedded - OLD.embedded WHERE number = OLD.pool;
  DELETE FROM passages_index WHERE rowid = OLD.id;
  INSERT OR IGNORE INTO stray_vectors SELECT OLD.document_id || '.' || OLD.ordinal WHERE OLD.embedded AND OLD.vector IS NULL;
END;

-- Files with one document a line. They are read in pieces.
CREATE TABLE uploads (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, corpus_id TEXT NOT NULL,
  key TEXT NOT NULL, -- of the lines in R2
  size INTEGER NOT NULL, -- bytes
  position INTEGER NOT NULL DEFAULT 0, -- bytes read
  lines INTEGER NOT NULL DEFAULT 0, -- read; blank ones too
  added INTEGER NOT NULL DEFAULT 0, unchanged INTEGER NOT NULL DEFAULT 0, invalid INTEGER NOT NULL DEFAULT 0,
  errors TEXT NOT NULL DEFAULT '[]', -- JSON: the first errors
  created_at INTEGER NOT NULL,
  read_at INTEGER -- when its end was reached
) STRICT;
CREATE INDEX uploads_by_corpus ON uploads (corpus_id, id);

-- A new upload: its lines are no orphan any more, and its corpus has work to do. The quota of stored bytes counts the lines until they are read.
CREATE TRIGGER upload_added AFTER INSERT ON uploads BEGIN
  DELETE FROM orphans WHERE key = NEW.key;
  UPDATE corpora SET due_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.corpus_id AND due_at IS NULL;
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000 + length(CAST(NEW.errors AS BLOB)) + iif(NEW.read_at IS NULL, NEW.size, 0));
END;

CREATE TRIGGER upload_bytes_counted AFTER UPDATE OF errors, read_at ON uploads BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', length(CAST(NEW.errors AS BLOB)) - length(CAST(OLD.errors AS BLOB))
    + iif(NEW.read_at IS NULL, NEW.size, 0) - iif(OLD.read_at IS NULL, OLD.size, 0));
END;

CREATE TRIGGER upload_uncounted AFTER DELETE ON uploads BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes',
    -1000 - length(CAST(OLD.errors AS BLOB)) - iif(OLD.read_at IS NULL, OLD.size, 0));
END;
