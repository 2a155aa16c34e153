-- What the keeper knows of the deployment's secrets, and how far it has sealed stored texts again under the one in use. One row.
CREATE TABLE resealing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  keys TEXT NOT NULL, -- JSON: ids of the secrets that are set, with their dates; the one without a date is in use
  position TEXT, -- JSON: table and row up to which this pass has come; NULL: it is complete
  unreadable TEXT NOT NULL, -- JSON: by table, how many texts of the pass no secret opens
  completed_at INTEGER -- end of the last complete pass; NULL: none since the secrets changed
) STRICT;
