-- What the vectors of a corpus have used: those of its passages, and those of queries that no run made.
ALTER TABLE corpora ADD COLUMN llm_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE corpora ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE corpora ADD COLUMN cost_usd REAL; -- NULL while no price is known
