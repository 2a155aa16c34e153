import type { TypedResponse } from "hono";
import {
  completeWithResponse,
  type Complete,
  type RequestCompletion,
  completeWithId,
} from "#services/idempotency/complete-key";
import { auditEntry } from "./audit-entry";
import type { AppContext } from "./context";

/**
 * Answers a creation: 201 with the new thing and its `Location`. The transaction that creates it writes the entry of the audit log, and stores
 * the answer when the request has an `Idempotency-Key`.
 * @param path of the collection
 * @param changed id of the object of the audit log's entry; by default the new thing
 */
export async function respondCreated<T extends { id: string }>(
  c: AppContext,
  path: string,
  create: (complete: Complete<T>) => Promise<T>,
  changed?: string,
): Promise<Response & TypedResponse<any, 201, "json">> {
  const { held, services } = c.var;
  const answerOf = (thing: T) => ({
    status: 201 as const,
    headers: { "content-type": "application/json", location: `${path}/${thing.id}` },
    body: JSON.stringify(thing),
  });
  const complete: Complete<T> = (thing) => {
    const audit = auditEntry(c, "done", changed ?? thing.id);
    if (!held) return completeWithId(audit, null, thing.id);
    return completeWithResponse(services.secrets, audit, held.claim, { made: thing.id, answer: answerOf(thing) });
  };
  const { body, status, headers } = answerOf(await create(complete));
  c.set("held", undefined); // the answer is stored
  return c.body(body, status, headers) as Response & TypedResponse<any, 201, any>;
}

/** Rows that a transaction stores with its change of `id`: the entry of the audit log, and under the request's key that `id` was changed. */
export const writtenUnderKey = (c: AppContext, id: string): RequestCompletion =>
  completeWithId(auditEntry(c, "done", id), c.var.held?.claim ?? null, id);
