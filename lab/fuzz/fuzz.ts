import * as fc from "fast-check";
import { parallel } from "../../scripts/lib/parallel.ts";
import { makeTenant } from "../../scripts/lib/keys.ts";
import { type Server, withServer } from "../../scripts/lib/server.ts";
import { Pool } from "./pool.ts";
import { type Document, type Operation, type Special, urls } from "./schemas.ts";
import { responseChecker } from "./promises.ts";
import { type Draft, requestsOf, type Sendable, sendable, strayRequests, type World } from "./requests.ts";
import { type Answer, closeConnections, send } from "./send.ts";
import { furnish, makeKeys } from "./world.ts";

/** The short form, for the test suite: `npm run fuzz -- --short`. */
export const SHORT = { seed: 1, requests: 1500 };
export const FULL = { seed: 1, requests: 20_000 };

/** Operations that are tested at the same time. */
const CONCURRENCY = 4;

/** A closed port: runs of live keys fail. */
const PROVIDER = { OPENAI_API_KEY: "sk-fuzz", OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "nobody" };

const word = (alphabet: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength });
const letters = "abcxyzABC019";
const models = fc.constantFrom("openai/a", "openai/b/c");
const durations = () => fc.constantFrom("1m", "90m", "2h", "1d");

/** Generators of fields by name, for fields whose schema says less than the API demands. */
const special: Special = {
  /** Few calls: random options can make a mock run long. */
  limits: () => fc.record({ max_llm_calls: fc.integer({ min: 1, max: 12 }) }),
  models: () => fc.record({ default: models, seed: fc.nat() }, { requiredKeys: [] }),
  model: () => models,
  embedding_model: () => models,
  url: () => urls,
  secret: () =>
    fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`),
  language: () => fc.constantFrom("en", "pt-BR", "zh-Hant"),
  metadata: () => fc.dictionary(word(`${letters}_.-`, 12), fc.string({ maxLength: 40 }), { maxKeys: 4 }),
  headers: () => fc.dictionary(word(`${letters}-`, 12), word(`${letters} !~`, 20), { maxKeys: 3 }),
  agents: () => fc.constantFrom(["builtin:maths-tutor"], []),
  corpus_ids: () => fc.constant([]),
  interaction_timeout: durations,
  overlap: durations,
  /** The name of an agent, known by its maxLength; other names may be any text. */
  name: ({ maxLength }) => (maxLength === 64 ? word(`${letters}éß `, 20).map((text) => `a${text.trim()}`) : null),
};

export interface FuzzOptions {
  seed: number;
  /** the least number of requests over all operations */
  requests: number;
  /** one operation's id */
  only?: string | undefined;
  /** of a counterexample that fast-check has reported: only this one is sent */
  path?: string | undefined;
  say: (text: string) => void;
}

/** Sends requests generated from the OpenAPI document (valid, nearly valid, and wild ones), and checks each response. */
export function fuzz(options: FuzzOptions) {
  const foreign = makeTenant("foreign", [{ name: "foreign key", mode: "test" }]);
  const env = { ...PROVIDER, RATE_LIMIT_PER_MINUTE: "0" };
  return withServer({ seed: foreign.sql, env }, async (server) => {
    try {
      return await fuzzServer(options, server, await makeWorld(server, foreign.keys[0] ?? ""));
    } finally {
      closeConnections();
    }
  });
}

async function fuzzServer({ seed, requests, only, path, say }: FuzzOptions, server: Server, world: World) {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
  const routes = routesOf(document).filter(({ name }) => !only || name === only);
  // Operations with a body get twice as many requests.
  const weights = routes.map(({ operation }) => (operation?.requestBody ? 2 : 1));
  const perWeight = requests / weights.reduce((sum, weight) => sum + weight, 0);
  const check = responseChecker(document);
  say(`${routes.length} operations, ${requests} requests, seed ${seed}.`);
  const results: Outcome[] = [];
  const fuzzRoute = async ([index, route]: [number, Route]) => {
    const { operation } = route;
    const result = await fuzzOperation({
      ...route,
      runs: Math.ceil(perWeight * (weights[index] ?? 1)),
      // Each operation has its own seed, except when a counterexample is repeated.
      seed: path ? seed : seed + index,
      counterexample: path,
      drafts: operation ? requestsOf(document, { ...route, operation }, special) : strayRequests,
      server,
      world,
      check,
    });
    results.push(result);
    if (result.failure) say(result.failure);
  };
  await parallel([...routes.entries()], fuzzRoute, CONCURRENCY);
  return { results, seed };
}

interface Route {
  name: string;
  method: string;
  path: string;
  /** null: there is none */
  operation: Operation | null;
}

/** What became of one operation. */
interface Outcome {
  name: string;
  sent: number;
  statuses: Map<number, number>;
  failure: string | null;
}

/** Every operation, and last a route for requests to no operation. */
const routesOf = (document: Document): Route[] => [
  ...Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => ({
      name: operation.operationId,
      method,
      path,
      operation,
    })),
  ),
  { name: "none", method: "", path: "", operation: null },
];

async function makeWorld({ url, live_key }: Server, foreign_key: string): Promise<World> {
  const { protectedIds, keys } = await makeKeys(url, live_key);
  const own = new Pool(protectedIds);
  const foreign = new Pool();
  await Promise.all([furnish(url, keys.test, own), furnish(url, foreign_key, foreign)]);
  return { own, foreign, keys: { ...keys, live: live_key, foreign: foreign_key } };
}

/** Sends requests of one operation until a response breaks a promise; fast-check then shrinks that request. */
async function fuzzOperation(
  options: Route & {
    drafts: fc.Arbitrary<Draft>;
    runs: number;
    seed: number;
    counterexample: string | undefined;
    server: Server;
    world: World;
    check: ReturnType<typeof responseChecker>;
  },
): Promise<Outcome> {
  const { name, operation, drafts, runs, seed, counterexample, server, world, check } = options;
  const statuses = new Map<number, number>();
  let sent = 0;
  const property = fc.asyncProperty(drafts, async (draft) => {
    const request = sendable(draft, world);
    sent++;
    const answer = await send(server.url, request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 300 && answer.body.length && ["test", "writer", "reader"].includes(draft.key))
      world.own.learn(answer.body.toString("utf8"), answer.headers["content-type"]);
    if (answer.status === 204) for (const id of request.path.split("/")) world.own.forget(id);
    const errors = check(operation, request, answer);
    if (errors.length) throw new Error(describe(name, request, answer, errors));
  });
  const checked = await fc.check(property, {
    numRuns: runs,
    seed,
    ...(counterexample ? { path: counterexample } : {}),
    endOnFailure: false,
  });
  const failure = checked.failed
    ? `${(checked.errorInstance as Error | null)?.message}\n  Again: npm run fuzz -- --seed ${checked.seed} --only ${name} --path ${checked.counterexamplePath}`
    : null;
  return { name, sent, statuses, failure };
}

/** Characters of a body that are printed. */
const SHOWN = 1500;
const shown = (bytes: Buffer) => {
  const text = bytes.toString("utf8");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} … (${bytes.length} bytes)` : text;
};

const describe = (name: string, { method, path, headers, body }: Sendable, answer: Answer, errors: string[]) =>
  [
    `${name}: ${errors.join(" ")}`,
    `  ${method} ${path}`,
    ...Object.entries(headers).map(([field, value]) => `  ${field}: ${value}`),
    ...(body ? [`  ${JSON.stringify(shown(body))}`] : []),
    `  was answered with ${answer.status} ${answer.headers["content-type"] ?? ""}`,
    `  ${shown(answer.body)}`,
  ].join("\n");
