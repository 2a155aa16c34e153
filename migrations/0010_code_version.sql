-- The version of the code that made an artifact: a run may outlive a deployment.
ALTER TABLE artifacts ADD COLUMN code_version TEXT; -- NULL: made before this was kept
