import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { parallel } from "../chaos/parallel.mjs";
import { makeTenant } from "../lib/keys.mjs";
import { startServer } from "../lib/server.mjs";
import { Pool } from "./pool.mjs";
import { urls } from "./schemas.mjs";
import { answerJudge } from "./promises.mjs";
import { requestsOf, sendable, strayRequests } from "./requests.mjs";
import { closeConnections, send } from "./send.mjs";
import { furnish, makeKeys } from "./world.mjs";

/** What a test suite has time for: `npm run fuzz -- --short`. */
export const SHORT = { seed: 1, requests: 1500 };
export const FULL = { seed: 1, requests: 20_000 };

/** Operations that are tried at the same time. */
const AT_ONCE = 4;

/** Nobody listens there: runs of live keys fail. */
const PROVIDER = { OPENAI_API_KEY: "sk-fuzz", OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "nobody" };

const word = (letters, maxLength) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength });
const letters = "abcxyzABC019";
const models = fc.constantFrom("openai/a", "openai/b/c");
const durations = () => fc.constantFrom("1m", "90m", "2h", "1d");

/** Fields that are filled by their names: of these the schema says less than holds. */
const special = {
  /** A few calls, and a run is done: rehearsals of what is asked for at random could be long ones. */
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
  /** An agent's; other names may be any text. */
  name: ({ maxLength }) => (maxLength === 64 ? word(`${letters}éß `, 20).map((text) => `a${text.trim()}`) : null),
};

/**
 * Sends requests that the OpenAPI document makes think of, valid ones, nearly valid ones and wild ones, and judges each answer.
 * @param {object} options
 * @param {number} options.seed
 * @param {number} options.requests over all operations, at least
 * @param {string} [options.only] one operation's id
 * @param {string} [options.path] of a counterexample that fast-check has told: that one alone
 * @param {(text: string) => void} options.say
 * @param {(stop: () => Promise<void>) => void} [options.onStart] handed what ends the server
 */
export async function fuzz({ seed, requests, only, path, say, onStart }) {
  const state = mkdtempSync(join(tmpdir(), "parley-fuzz-"));
  const foreign = makeTenant("foreign", [{ name: "foreign key", mode: "test" }]);
  const server = await startServer({ state, seed: foreign.sql, env: { ...PROVIDER, RATE_LIMIT_PER_MINUTE: "0" } });
  onStart?.(() => server.stop());
  try {
    const world = await makeWorld(server, foreign.keys[0] ?? "");
    const document = await (await fetch(`${server.url}/openapi.json`)).json();
    const routes = routesOf(document).filter(({ name }) => !only || name === only);
    // Whoever takes a body can be wrong in more ways.
    const shares = routes.map(({ operation }) => (operation?.requestBody ? 2 : 1));
    const share = requests / shares.reduce((sum, one) => sum + one, 0);
    const judge = answerJudge(document);
    say(`${routes.length} operations, ${requests} requests, seed ${seed}.`);
    const results = [];
    await parallel(
      // Each has its own numbers, unless one is to be repeated.
      routes.map((route, at) => ({
        route,
        runs: Math.ceil(share * (shares[at] ?? 1)),
        numbers: path ? seed : seed + at,
      })),
      async ({ route, runs, numbers }) => {
        const drafts = route.operation ? requestsOf(document, route, special) : strayRequests;
        const tried = await attack({ ...route, drafts, runs, seed: numbers, path, server, world, judge });
        results.push(tried);
        if (tried.failure) say(tried.failure);
      },
      AT_ONCE,
    );
    return { results, seed };
  } finally {
    closeConnections();
    await server.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Every operation; last, what is none. */
const routesOf = (document) => [
  ...Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: operation.operationId, method, path, operation })),
  ),
  { name: "none", method: "", path: "", operation: null },
];

async function makeWorld({ url, live_key }, foreign_key) {
  const { spared, keys } = await makeKeys(url, live_key);
  const own = new Pool(spared);
  const foreign = new Pool();
  await Promise.all([furnish(url, keys.test, own), furnish(url, foreign_key, foreign)]);
  return { own, foreign, keys: { ...keys, live: live_key, foreign: foreign_key } };
}

/** Requests of one operation, until one is answered as none may be; that one is made as small as it goes. */
async function attack({ name, operation, drafts, runs, seed, path, server, world, judge }) {
  const statuses = new Map();
  let sent = 0;
  const property = fc.asyncProperty(drafts, async (draft) => {
    const request = sendable(draft, world);
    sent++;
    const answer = await send(server.url, request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 300 && answer.body.length && ["test", "writer", "reader"].includes(draft.key))
      world.own.learn(answer.body.toString("utf8"), answer.headers["content-type"]);
    if (answer.status === 204) for (const id of request.path.split("/")) world.own.forget(id);
    const wrong = judge(operation, request, answer);
    if (wrong.length) throw new Error(described(name, request, answer, wrong));
  });
  const checked = await fc.check(property, { numRuns: runs, seed, ...(path ? { path } : {}), endOnFailure: false });
  const failure = checked.failed
    ? `${checked.errorInstance?.message ?? checked.error}\n  Again: npm run fuzz -- --seed ${checked.seed} --only ${name} --path ${checked.counterexamplePath}`
    : null;
  return { name, sent, statuses, failure };
}

const SHOWN = 1500;
const shown = (bytes) => {
  const text = bytes.toString("utf8");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} … (${bytes.length} bytes)` : text;
};

const described = (name, { method, path, headers, body }, answer, wrong) =>
  [
    `${name}: ${wrong.join(" ")}`,
    `  ${method} ${path}`,
    ...Object.entries(headers).map(([field, value]) => `  ${field}: ${value}`),
    ...(body ? [`  ${JSON.stringify(shown(body))}`] : []),
    `  was answered with ${answer.status} ${answer.headers["content-type"] ?? ""}`,
    `  ${shown(answer.body)}`,
  ].join("\n");
