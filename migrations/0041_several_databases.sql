-- The database that a tenant is being moved to (`npm run operator -- move-tenant`): the same tenant in another database has precedence over this row.
ALTER TABLE tenants ADD COLUMN moving_to TEXT;
