/** Runs and their questions, read and answered through the HTTP API. */
import type { z } from "zod";
import { toFieldErrors, validationProblem } from "#services/fields/field-errors";
import type { PresentedInteraction } from "#services/interactions/schema";
import { type KeyRow, workflowsOf } from "#services/keys/authenticate";
import type { PresentedRun } from "#services/runs/schema";
import type { Services } from "#services/services";
import { operate, refuse, type Send } from "./operations";

/** The workflows that a key may start. */
export function startable({ workflows }: Services, key: KeyRow): string[] {
  const bound = workflowsOf(key);
  return Object.keys(workflows).filter((name) => !bound || bound.includes(name));
}

export const readRun = (send: Send, id: string): Promise<PresentedRun> =>
  operate(send, { method: "GET", path: `/v1/runs/${encodeURIComponent(id)}` });

/** The open questions of a run and of its child runs. */
export async function openQuestions(send: Send, run: string): Promise<PresentedInteraction[]> {
  const query = new URLSearchParams({ run_id: run, limit: "100" });
  return (await operate(send, { method: "GET", path: `/v1/interactions?${query}` })).data;
}

export const answerQuestion = (
  send: Send,
  id: string,
  body: unknown,
  idempotency_key?: string,
): Promise<PresentedInteraction> =>
  operate(send, {
    method: "POST",
    path: `/v1/interactions/${encodeURIComponent(id)}/answer`,
    body,
    idempotency_key,
  });

/** @throws OperationError that names the errors */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(validationProblem(toFieldErrors(parsed.error, value)));
}
