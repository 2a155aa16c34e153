/**
 * Statements that delete webhook endpoints with their deliveries, attempts and messages, in this order: triggers count each deletion by the
 * rows that are still there. A message to several endpoints stays.
 * @param endpoints SQL of a list of ids, in parentheses, with the parameters `values`
 */
export const deleteEndpoints = (db: D1Database, endpoints: string, ...values: unknown[]): D1PreparedStatement[] =>
  [
    `delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE endpoint_id IN ${endpoints})`,
    `webhook_messages WHERE endpoint_id IS NOT NULL AND id IN (SELECT event_id FROM deliveries WHERE endpoint_id IN ${endpoints})`,
    `deliveries WHERE endpoint_id IN ${endpoints}`,
    `webhook_endpoints WHERE id IN ${endpoints}`,
  ].map((rows) => db.prepare(`DELETE FROM ${rows}`).bind(...values));
