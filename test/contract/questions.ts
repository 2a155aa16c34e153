import { newArtifact } from "#engine/durable/artifacts";
import { clarificationSchema } from "#engine/people/answer-schemas";
import { newId } from "#core/ids";
import type { NewInteraction } from "#store/interactions";
import { Store } from "#store/store";
import type { OnExpiry, Question } from "#core/vocabulary";
import { bindings, call, type Client, runWithStatus, start } from "../support/parley";

const QUESTIONS: Question[] = [
  { id: "q1", text: "Why?", type: "text", required: true },
  { id: "q2", text: "How many?", type: "number", required: true },
  { id: "q3", text: "Public?", type: "boolean", required: false },
  { id: "q4", text: "Which?", type: "choice", choices: ["red", "blue"], required: false },
];

/** A run whose workflow waits for a person. */
export async function waitingRun(client: Client): Promise<string> {
  const id = await start(client.test, { options: { human_stakeholder: true } });
  await runWithStatus(client.test, id, "input_required");
  return id;
}

const store = new Store(bindings.DB, bindings.BUCKET);

type QuestionSpec = Pick<NewInteraction, "kind" | "prompt" | "questions" | "answer_schema">;

/** Opens one more interaction on a waiting run: workflows ask for text only, the API accepts every type. */
export const askEverything = (run: string, how: { expires_in?: number } = {}): Promise<string> =>
  ask(run, clarification(QUESTIONS), how);

/** Opens an interaction on a waiting run. */
export async function ask(
  run: string,
  asked: QuestionSpec,
  how: { expires_in?: number; artifacts?: string[]; on_expiry?: OnExpiry } = {},
): Promise<string> {
  const id = newId("int");
  const row = await store.interactions.open(run, 1, {
    ...asked,
    id,
    step: `elicitation/ask#${id}`,
    generation: 1,
    stage: "elicitation",
    artifacts: how.artifacts ?? [],
    on_expiry: how.on_expiry ?? "proceed",
    expires_at: Date.now() + (how.expires_in ?? 600_000),
  });
  if (!row) throw new Error("the run takes no questions");
  return id;
}

/** Questions, with the schema that the engine writes for them. */
export const clarification = (questions: Question[], prompt = "Please tell."): QuestionSpec => ({
  kind: "clarification",
  prompt,
  questions,
  answer_schema: clarificationSchema(questions),
});

/** An artifact of a waiting run, with this content. */
export async function makeArtifact(client: Client, run: string, content: unknown, mediaType?: string): Promise<string> {
  const key = newId("art");
  const artifact = newArtifact({ stage: "elicitation", iteration: 1, generation: 1 }, `elicitation/test#${key}`, {
    by: { name: "test", kind: "requirement_draft", role: "collector", media_type: mediaType, send_to: ["all"] },
    options: { subject: key },
    made: { content },
  });
  const [commitment] = await store.artifacts.commit({ id: run, tenant: client.tenant, epoch: 1, code_version: "0" }, [
    artifact,
  ]);
  if (!commitment) throw new Error("the run takes no artifact");
  return artifact.id;
}

/** The path of an interaction's callback URL. */
export async function callbackPath(client: Client, id: string): Promise<string> {
  const { callback_url } = (await call("GET", `/v1/interactions/${id}`, { key: client.test })).body;
  return new URL(callback_url).pathname;
}

/** The path of an interaction, and its present state. */
export async function opened(client: Client, id: string) {
  const path = await callbackPath(client, id);
  return { id, path, now: async () => (await call("GET", path)).body };
}
