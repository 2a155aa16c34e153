/** Push notification configs of a task: webhook endpoints of its run, in the form of A2A. */
import { z } from "zod";
import type { PresentedEndpoint } from "#services/webhooks/schema";
import { Problem } from "#core/errors";
import { operate, OperationError, refusalOf, refuse, type Send } from "../in-process/operations";
import { parse, readRun } from "../in-process/runs";

const PATH = "/v1/webhook-endpoints";

/** What a config notifies of: every change of the task's state, and its artifacts. */
const EVENTS = [
  "run.started",
  "run.artifact_created",
  "run.input_required",
  "run.input_reassigned",
  "run.input_received",
  "run.input_withdrawn",
  "run.input_expired",
  "run.completed",
  "run.failed",
  "run.canceled",
] as const satisfies PresentedEndpoint["events"];

export const configSchema = z.looseObject({
  url: z.string(),
  token: z.string().nullish(),
  authentication: z.looseObject({ scheme: z.string(), credentials: z.string().nullish() }).nullish(),
});
export type PushConfig = z.infer<typeof configSchema>;

const createSchema = configSchema.extend({ taskId: z.string().min(1) });
const oneSchema = z.looseObject({ taskId: z.string().min(1), id: z.string().min(1) });
const listSchema = z.looseObject({
  taskId: z.string().min(1),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().optional(),
});

type Params = Record<string, unknown>;

export function createConfig(send: Send, params: Params) {
  const { taskId, ...config } = parse(createSchema, params);
  return addConfig(send, taskId, config);
}

/** @param key `Idempotency-Key` of the message that asks for the config */
export async function addConfig(send: Send, task: string, config: PushConfig, key?: string) {
  const { url, token, authentication } = config;
  const { scheme, credentials } = authentication ?? {};
  const a2a = {
    run_id: task,
    ...(scheme && { authorization: credentials ? `${scheme} ${credentials}` : scheme }),
    ...(token && { token }),
  };
  await readRun(send, task);
  const body = { url, events: EVENTS, description: "A2A", a2a };
  return configOf(await operate(send, { method: "POST", path: PATH, body, idempotency_key: key }));
}

export async function getConfig(send: Send, params: Params) {
  const { taskId, id } = parse(oneSchema, params);
  return configOf(await find(send, taskId, id));
}

export async function listConfigs(send: Send, params: Params) {
  const { taskId, pageSize, pageToken } = parse(listSchema, params);
  await readRun(send, taskId);
  const query = new URLSearchParams({ run_id: taskId, limit: String(pageSize ?? 50) });
  if (pageToken) query.set("cursor", pageToken);
  const { data, next_cursor } = await operate(send, { method: "GET", path: `${PATH}?${query}` });
  const configs = (data as PresentedEndpoint[]).filter(({ format }) => format === "a2a").map(configOf);
  return { configs, nextPageToken: next_cursor ?? "" };
}

/** Deleting what is not there changes nothing, as the specification wants. */
export async function deleteConfig(send: Send, params: Params): Promise<object> {
  const { taskId, id } = parse(oneSchema, params);
  await readRun(send, taskId);
  try {
    await find(send, taskId, id);
    const response = await send({ method: "DELETE", path: `${PATH}/${encodeURIComponent(id)}` });
    if (!response.ok) throw await refusalOf(response);
  } catch (error) {
    if (!(error instanceof OperationError && error.problem.code === "not_found")) throw error;
  }
  return {};
}

/** The endpoint of this task with this id. @throws OperationError `not_found` */
async function find(send: Send, task: string, id: string): Promise<PresentedEndpoint> {
  const endpoint = await operate(send, { method: "GET", path: `${PATH}/${encodeURIComponent(id)}` });
  if (endpoint.run_id === task && endpoint.format === "a2a") return endpoint;
  throw refuse(new Problem("not_found", `The task has no push notification config ${id}.`));
}

/** Token and credentials are not shown. */
const configOf = ({ id, run_id, url }: PresentedEndpoint) => ({ id, taskId: run_id, url });
