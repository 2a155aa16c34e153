-- Until when writes to the tenant's rows are refused because it is being moved to another database; milliseconds since the epoch. The keeper's
-- statements over the rows of all tenants leave them out: one refused row would make them fail for everyone.
ALTER TABLE tenants ADD COLUMN held_until INTEGER;
CREATE INDEX tenants_held ON tenants (held_until) WHERE held_until IS NOT NULL;
-- The database that the tenant was moved from, until its rows there are deleted. Until then a removed tenant is not deleted here: without its row
-- the old rows would count again.
ALTER TABLE tenants ADD COLUMN moved_from TEXT;
