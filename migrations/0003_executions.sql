-- Outcomes of the agent calls that a generated program makes (design: sandbox.md).
ALTER TABLE artifacts ADD COLUMN execution TEXT; -- act of the execution that made this call; NULL for everything else
ALTER TABLE artifacts ADD COLUMN completed_seq INTEGER; -- order of commitment, dense per execution from 1: a replay hands outcomes over in it
ALTER TABLE artifacts ADD COLUMN ok INTEGER; -- 0: the agent failed, which is an outcome like any other

CREATE UNIQUE INDEX artifacts_of_execution ON artifacts (run_id, generation, execution, completed_seq) WHERE execution IS NOT NULL;
