import { clarificationSchema } from "../../src/engine/questions";
import { newId } from "../../src/ids";
import { Store } from "../../src/store/store";
import type { Question } from "../../src/vocabulary";
import { bindings, call, type Client, runWithStatus, start } from "../support/parley";

const QUESTIONS: Question[] = [
  { id: "q1", text: "Why?", type: "text", required: true },
  { id: "q2", text: "How many?", type: "number", required: true },
  { id: "q3", text: "Public?", type: "boolean", required: false },
  { id: "q4", text: "Which?", type: "choice", choices: ["red", "blue"], required: false },
];

/** A question of each type, and a schema as the engine writes it. */
const CLARIFICATION = {
  kind: "clarification" as const,
  prompt: "Please tell.",
  questions: QUESTIONS,
  answer_schema: clarificationSchema(QUESTIONS),
};

/** A run that waits for a person of its own accord. */
export async function waitingRun(client: Client): Promise<string> {
  const id = await start(client.test, { options: { human_stakeholder: true } });
  await runWithStatus(client.test, id, "input_required");
  return id;
}

const store = new Store(bindings.DB, bindings.BUCKET);

/** Opens one more interaction on a waiting run: workflows ask for text alone, the API takes every type. */
export async function askEverything(run: string, how: { expires_in?: number } = {}): Promise<string> {
  const id = newId("int");
  const opened = await store.interactions.open(run, 1, {
    ...CLARIFICATION,
    id,
    act: `elicitation/ask#${id}`,
    generation: 1,
    stage: "elicitation",
    artifacts: [],
    on_expiry: "proceed",
    expires_at: Date.now() + (how.expires_in ?? 600_000),
  });
  if (!opened) throw new Error("the run takes no questions");
  return id;
}

/** The path of an interaction's callback URL. */
export async function callbackPath(client: Client, id: string): Promise<string> {
  const { callback_url } = (await call("GET", `/v1/interactions/${id}`, { key: client.test })).body;
  return new URL(callback_url).pathname;
}
