-- What the keeper looks for when deliveries and messages become too old to keep.
CREATE INDEX deliveries_settled ON deliveries (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX webhook_messages_by_age ON webhook_messages (created_at);
