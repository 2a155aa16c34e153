-- What retrieval looks in: corpora, and the evidence of runs. Both are pools of documents, which are found by their passages.

CREATE TABLE pools (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- stands before each of its terms in the index, so that pools share nothing there
  id TEXT NOT NULL UNIQUE, -- that of the corpus, or of the run
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  passages INTEGER NOT NULL DEFAULT 0,
  terms INTEGER NOT NULL DEFAULT 0, -- of all passages
  embedded INTEGER NOT NULL DEFAULT 0, -- passages that have a vector
  removed_at INTEGER -- its owner is gone; the keeper removes the rest
) STRICT;

CREATE INDEX pools_removed ON pools (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE corpora (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  language TEXT, -- of documents that do not say theirs
  metadata TEXT NOT NULL,
  embedding_model TEXT, -- NULL: found by words alone
  due_at INTEGER, -- when to go on with uploads, passages and vectors; NULL: all is done
  attempts INTEGER NOT NULL DEFAULT 0, -- failures in a row
  failure TEXT, -- the latest of them
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX corpora_by_tenant ON corpora (tenant_id, id);
CREATE INDEX corpora_due ON corpora (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  pool INTEGER NOT NULL REFERENCES pools (number),
  external_id TEXT, -- the caller's own
  digest TEXT NOT NULL, -- of everything that was given: tells the same from another under one external_id
  upload_id TEXT,
  title TEXT,
  source TEXT NOT NULL,
  jurisdiction TEXT,
  language TEXT,
  date TEXT,
  url TEXT,
  metadata TEXT NOT NULL,
  content TEXT, -- NULL when it is large and stands in R2 under content_key
  content_key TEXT,
  size INTEGER NOT NULL, -- bytes
  sha256 TEXT NOT NULL,
  passages INTEGER NOT NULL DEFAULT 0, -- indexed so far
  status TEXT NOT NULL DEFAULT 'indexing' CHECK (status IN ('indexing', 'embedding', 'ready')),
  created_at INTEGER NOT NULL,
  UNIQUE (pool, external_id)
) STRICT;

CREATE INDEX documents_by_pool ON documents (pool, id);
CREATE INDEX documents_tongues ON documents (pool, language, jurisdiction);
CREATE INDEX documents_unready ON documents (pool, status) WHERE status <> 'ready';
CREATE INDEX documents_of_upload ON documents (upload_id, status) WHERE upload_id IS NOT NULL;
CREATE INDEX documents_content ON documents (content_key) WHERE content_key IS NOT NULL;

CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- outside it is called <document>.<ordinal>
  pool INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL, -- from 1
  begins INTEGER NOT NULL, -- UTF-16 code units in the document
  ends INTEGER NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  terms INTEGER NOT NULL,
  embedded INTEGER NOT NULL DEFAULT 0,
  vector BLOB, -- 32-bit floats, little-endian, of unit length; NULL when it stands in Vectorize
  signs BLOB, -- a bit for each of its numbers: 1 when it is positive
  UNIQUE (document_id, ordinal)
) STRICT;

CREATE INDEX passages_of_pool ON passages (pool, embedded);

-- Vectors that Vectorize still holds of passages that are gone. The keeper removes them.
CREATE TABLE stray_vectors (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Terms, not words: src/retrieval/terms.ts makes them, by language and jurisdiction, so all that is left to do here is to split at blanks.
CREATE VIRTUAL TABLE passages_index USING fts5 (head, body, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE passages_terms USING fts5vocab (passages_index, instance);

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

CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN
  DELETE FROM orphans WHERE key = NEW.content_key;
  UPDATE corpora SET due_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE id = (SELECT id FROM pools WHERE number = NEW.pool) AND due_at IS NULL;
END;

CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  corpus_id TEXT NOT NULL,
  key TEXT NOT NULL, -- of the lines in R2
  size INTEGER NOT NULL, -- bytes
  position INTEGER NOT NULL DEFAULT 0, -- bytes read
  lines INTEGER NOT NULL DEFAULT 0, -- read; blank ones too
  added INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  faulty INTEGER NOT NULL DEFAULT 0,
  faults TEXT NOT NULL DEFAULT '[]', -- the first of them
  created_at INTEGER NOT NULL,
  read_at INTEGER -- when its end was reached
) STRICT;

CREATE INDEX uploads_by_corpus ON uploads (corpus_id, id);

CREATE TRIGGER upload_added AFTER INSERT ON uploads BEGIN
  DELETE FROM orphans WHERE key = NEW.key;
  UPDATE corpora SET due_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.corpus_id AND due_at IS NULL;
END;
