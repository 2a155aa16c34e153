-- What a person who is asked must know of a run: the title of its input, an excerpt of it, and who asked for the run.
ALTER TABLE runs ADD COLUMN title TEXT;
ALTER TABLE runs ADD COLUMN excerpt TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN requested_by TEXT;

-- Runs from before: those whose input is in R2 keep an empty excerpt.
UPDATE runs SET
  title = substr(input ->> '$.title', 1, 200),
  excerpt = substr(COALESCE(input ->> '$.idea', input ->> '$.requirement', input ->> '$.question', input ->> '$.topic', ''), 1, 300)
WHERE input IS NOT NULL;
