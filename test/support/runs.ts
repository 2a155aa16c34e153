/** The set-up that tests of runs share: a tenant for the file, and everything a test does to a run with one of its keys. */
import { beforeAll } from "vitest";
import { type Trace, traceOf } from "./artifacts";
import {
  artifactsOf,
  bindings,
  call,
  type Client,
  eventsOf,
  makeTenant,
  openInteraction,
  type Reply,
  runWithStatus,
  start,
  until,
} from "./parley";
import type { RunRow } from "#store/rows";

/** A run, an interaction or an artifact: the object that the API returned, or its id. */
export type Ref = string | { id: string };
const idOf = (ref: Ref) => (typeof ref === "string" ? ref : ref.id);

/** What a test does to the runs of one key. */
export interface Runs<Body> {
  /** One request with the key. */
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Starts a run; returns its id. */
  start(body?: Body): Promise<string>;
  /** Starts a run and waits until it is completed; returns it as the API shows it. */
  runToEnd(body?: Body): Promise<any>;
  /** Waits until a run has one of these statuses; returns it as the API shows it. */
  untilStatus(run: Ref, ...statuses: string[]): Promise<any>;
  untilCompleted(run: Ref): Promise<any>;
  untilFailed(run: Ref): Promise<any>;
  verb(run: Ref, verb: "pause" | "resume" | "cancel" | "retry", body?: object): Promise<Reply>;
  /** Waits for an open interaction of a run. */
  openInteraction(run: Ref): Promise<any>;
  /** Waits for an open interaction that is none of these. */
  nextInteraction(run: Ref, ...answered: Ref[]): Promise<any>;
  answer(interaction: Ref, body: object): Promise<Reply>;
  eventsOf(run: Ref): Promise<any[]>;
  /** Metadata of all artifacts, in their order. */
  artifactsOf(run: Ref): Promise<any[]>;
  traceOf(run: Ref): Promise<Trace>;
  contentOf(run: Ref, artifact: Ref): Promise<any>;
  /** Contents of the artifacts of a kind, in their order. */
  contentsOf(run: Ref, kind: string): Promise<any[]>;
  /** `caused_by` of all artifacts, in their order. */
  actionsOf(run: Ref): Promise<string[]>;
  /** How many artifacts an action has made. */
  countOf(run: Ref, action: string): Promise<number>;
}

/** @param keyOf is asked at each call: a file's tenant is made only when its tests begin */
function runsOf<Body extends object>(keyOf: () => string, bodyOf: (body?: Body) => object): Runs<Body> {
  const send: Runs<Body>["send"] = (method, path, body) => call(method, path, { key: keyOf(), body });
  const begin = (body?: Body) => start(keyOf(), bodyOf(body));
  const untilStatus = (run: Ref, ...statuses: string[]) => runWithStatus(keyOf(), idOf(run), ...statuses);
  const open = (run: Ref) => openInteraction(keyOf(), idOf(run));
  const traceWithKey = (run: Ref) => traceOf(keyOf(), { id: idOf(run) });
  return {
    send,
    start: begin,
    runToEnd: async (body) => untilStatus(await begin(body), "completed"),
    untilStatus,
    untilCompleted: (run) => untilStatus(run, "completed"),
    untilFailed: (run) => untilStatus(run, "failed"),
    verb: (run, verb, body) => send("POST", `/v1/runs/${idOf(run)}/${verb}`, body),
    openInteraction: open,
    nextInteraction: (run, ...answered) =>
      until("another interaction", async () => {
        const next = await open(run);
        return !answered.map(idOf).includes(next.id) && next;
      }),
    answer: (interaction, body) => send("POST", `/v1/interactions/${idOf(interaction)}/answer`, body),
    eventsOf: (run) => eventsOf(keyOf(), idOf(run)),
    artifactsOf: (run) => artifactsOf(keyOf(), idOf(run)),
    traceOf: traceWithKey,
    contentOf: async (run, artifact) =>
      (await send("GET", `/v1/runs/${idOf(run)}/artifacts/${idOf(artifact)}`)).body.content,
    contentsOf: async (run, kind) => (await traceWithKey(run)).contents(kind),
    actionsOf: async (run) => (await traceWithKey(run)).actions,
    countOf: async (run, action) => (await traceWithKey(run)).count(action),
  };
}

/** One tenant for all tests of a file. Its keys are there from the first `beforeAll` on that the file itself registers. */
export function tenantOfFile(): Client {
  const client = {} as Client;
  beforeAll(async () => void Object.assign(client, await makeTenant()));
  return client;
}

/**
 * The fixture of a file that tests runs: its tenant, what tests do to runs with the test key, and under `live` the same with the
 * live key.
 * @param bodyOf completes the body of a run; by default a body is sent as it is, to `requirements` unless it names a workflow
 */
export function setUpRuns<Body extends object = object>(
  bodyOf: (body?: Body) => object = (body) => body ?? {},
): Runs<Body> & { client: Client; live: Runs<Body> } {
  const client = tenantOfFile();
  return { client, ...runsOf(() => client.test, bodyOf), live: runsOf(() => client.live, bodyOf) };
}

/** Lets an interaction expire: its date is moved into the past, and the maintenance worker finds it. */
export const expire = (interaction: Ref) =>
  bindings.DB.prepare("UPDATE interactions SET expires_at = ? WHERE id = ?")
    .bind(Date.now() - 1, idOf(interaction))
    .run();

/** A run as D1 holds it. */
export const rowOf = async (run: Ref): Promise<RunRow> =>
  (await bindings.DB.prepare("SELECT * FROM runs WHERE id = ?").bind(idOf(run)).first<RunRow>())!;
