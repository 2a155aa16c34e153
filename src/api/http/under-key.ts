import type { TypedResponse } from "hono";
import { answered, type Settle, type Settlement, written } from "#services/idempotency/settle-key";
import type { AppContext } from "./context";

/**
 * Answers a creation: 201 with the new thing and its `Location`. Under an `Idempotency-Key` the transaction that creates it stores the answer.
 * @param path of the collection
 */
export async function answerCreated<T extends { id: string }>(
  c: AppContext,
  path: string,
  create: (settle: Settle<T> | undefined) => Promise<T>,
): Promise<Response & TypedResponse<any, 201, "json">> {
  const { held, services } = c.var;
  const answerOf = (thing: T) => ({
    status: 201 as const,
    headers: { "content-type": "application/json", location: `${path}/${thing.id}` },
    body: JSON.stringify(thing),
  });
  const settle: Settle<T> | undefined =
    held && ((thing) => answered(services.secrets, held.claim, { made: thing.id, answer: answerOf(thing) }));
  const { body, status, headers } = answerOf(await create(settle));
  c.set("held", undefined); // the answer is stored
  return c.body(body, status, headers) as Response & TypedResponse<any, 201, any>;
}

/** What a transaction that changes `id` stores under the request's key. */
export const writtenUnderKey = ({ var: { held } }: AppContext, id: string): Settlement | undefined =>
  held && written(held.claim, id);
