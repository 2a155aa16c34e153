/**
 * Statements that delete webhook endpoints with their deliveries, attempts and messages, in this order: triggers count each deletion by the
 * rows that are still there. A message to several endpoints stays.
 * @param endpoints SQL of a list of ids, in parentheses, with the parameters `values`
 */
export function deleteEndpoints(db: D1Database, endpoints: string, ...values: unknown[]) {
  const remove = (rows: string) => db.prepare(`DELETE FROM ${rows}`).bind(...values);
  const ofEndpoints = `FROM deliveries WHERE endpoint_id IN ${endpoints}`;
  return {
    attempts: remove(`delivery_attempts WHERE delivery_id IN (SELECT id ${ofEndpoints})`),
    messages: remove(`webhook_messages WHERE endpoint_id IS NOT NULL AND id IN (SELECT event_id ${ofEndpoints})`),
    deliveries: remove(`deliveries WHERE endpoint_id IN ${endpoints}`),
    endpoints: remove(`webhook_endpoints WHERE id IN ${endpoints}`),
  };
}
