import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { rehearsedVector } from "#llm/rehearsal/rehearsed-vector";
import { between, roll } from "./roll.mjs";

/**
 * Shares of all calls. `truncated` stops at the token limit, `malformed` breaks the form that was asked for, `garbled` breaks the HTTP
 * body itself.
 */
const FAULTS = [
  ["rate_limited", 0.1],
  ["server_error", 0.05],
  ["silent", 0.03],
  ["truncated", 0.01],
  ["malformed", 0.01],
  ["garbled", 0.01],
];

/** Faults that the act repairs with one more call; two in a row end it. */
export const FLAWS = ["truncated", "malformed"];

/** Milliseconds that a model takes. */
const LATENCY = { from: 20, to: 300 };

/**
 * One call of a model.
 * @typedef {object} Call
 * @property {string} run
 * @property {string} act
 * @property {string} what the act; of an embedding, with a hash of its texts: an act may embed several
 * @property {number} started_at
 * @property {number} ended_at Infinity while it is not answered
 * @property {string} outcome `good`, `unplanned`, or its fault
 * @property {boolean} delivered whether the whole answer was sent
 */

/**
 * An OpenAI-compatible endpoint that answers each act as it was rehearsed, unless a fault is due. The name of a model says which run it
 * speaks for.
 * @param {{seed: string}} options
 */
export async function startFaultyModel({ seed }) {
  /** What is said in each act, by the name of the model. @type {Map<string, Map<string, string>>} */
  const plans = new Map();
  /** @type {Call[]} */
  const calls = [];
  /** How often each was asked. @type {Map<string, number>} */
  const counts = new Map();
  /** The model of each run that called; a search embeds by the deployment's. */
  const models = new Map();

  const server = createServer(async (request, response) => {
    const body = /** @type {any} */ (await json(request).catch(() => null));
    if (body === null) return; // cut off by a kill
    const run = String(request.headers["x-parley-run"]);
    const act = String(request.headers["x-parley-act"]);
    if (plans.has(body.model)) models.set(run, body.model);
    const model = models.get(run) ?? "";
    const texts = body.input && createHash("sha256").update(JSON.stringify(body.input)).digest("hex").slice(0, 12);
    const what = texts ? `${act} of ${texts}` : act;
    const count = (counts.get(`${model} ${what}`) ?? 0) + 1;
    counts.set(`${model} ${what}`, count);

    const content = plans.get(model)?.get(act);
    const answer = texts ? vectors(body) : completion(body, content ?? "");
    const before = calls.findLast((call) => call.run === run && call.what === what)?.outcome ?? "";
    const due = fault(roll(seed, "model", model, what, count));
    // An agent without a usable answer is not the run's failure but its program's, which then takes another way than was rehearsed.
    const spared = act.includes("/execution#") && FLAWS.includes(due) && FLAWS.includes(before);
    const outcome = !texts && content === undefined ? "unplanned" : spared ? "good" : due;
    /** @type {Call} */
    const call = { run, act, what, started_at: Date.now(), ended_at: Infinity, outcome, delivered: false };
    calls.push(call);
    response.once("close", () => Object.assign(call, { ended_at: Date.now(), delivered: response.writableFinished }));
    setTimeout(
      () => play(outcome, response, answer),
      between(LATENCY.from, LATENCY.to, seed, "latency", model, what, count),
    );
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    /**
     * Sets up a model.
     * @param {string} model
     * @param {Map<string, string>} contents by act
     */
    plan: (model, contents) => void plans.set(model, contents),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function fault(rolled) {
  let left = rolled;
  for (const [name, share] of FAULTS) if ((left -= share) < 0) return name;
  return "good";
}

/** An answer, whole and with each of the flaws that it can have. */
function completion(body, content) {
  const half = content.slice(0, Math.ceil(content.length / 2));
  const broken = body.response_format ? half : "```\nA block that is never closed";
  const made = (text, finish_reason = "stop") => ({
    id: "chatcmpl-chaos",
    object: "chat.completion",
    created: 0,
    model: body.model,
    choices: [{ index: 0, finish_reason, message: { role: "assistant", content: text } }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
  return { good: made(content), truncated: made(half, "length"), malformed: made(broken) };
}

/** The vectors of a rehearsal, so that the same texts are alike. */
function vectors({ model, input }) {
  const data = input.map((text, index) => ({ object: "embedding", index, embedding: [...rehearsedVector(text)] }));
  const made = (some) => ({ object: "list", model, data: some, usage: { prompt_tokens: 10, total_tokens: 10 } });
  return { good: made(data), truncated: made(data.slice(1)), malformed: made([]) };
}

function play(outcome, response, answer) {
  const send = (status, body, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const error = (message) => ({ error: { message } });
  switch (outcome) {
    case "silent":
      return;
    case "rate_limited":
      return send(429, error("Chaos: slow down."), { "retry-after": String(Math.round(Math.random())) });
    case "server_error":
      return send(500, error("Chaos: the server broke down."));
    case "garbled":
      return send(200, JSON.stringify(answer.good).slice(0, -40));
    case "unplanned":
      return send(400, error("Chaos: nothing of this kind was rehearsed."));
    default:
      return send(200, answer[outcome]);
  }
}
