/**
 * Every method on a server that has the Responses API alone, reasons and refuses a temperature, and on one that has Chat Completions alone. What each
 * artifact and the manifest state is compared with what the server received, field by field.
 */
import { beforeAll, describe, expect, it } from "vitest";
import {
  artifactsOf,
  call,
  callsOf,
  type Client,
  makeTenant,
  planFromMock,
  planModel,
  runWithStatus,
  start,
} from "../../../support/parley";
import { ideationOf, planOfIdeation } from "../../../support/ideation";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const QUESTION = {
  question: "Is an offer that is held open for a stated time revocable before that time has run?",
  jurisdiction: "US",
  choices: [
    { label: "A", text: "Yes" },
    { label: "B", text: "No" },
  ],
};

const BODIES: Record<string, object> = {
  requirements: { options: { qa_rounds: 0 } },
  plain: { workflow: "plain", input: { request: "Name three uses of a brick." } },
  debate: { workflow: "debate", input: QUESTION },
  waterfall: {
    workflow: "waterfall",
    input: { requirement: "Plan a small party." },
    options: { clarification: "skip" },
  },
  ideation: ideationOf(),
  "requirements as in the paper": { options: { profile: "paper", qa_rounds: 0 } },
  "debate as in the paper": { workflow: "debate", input: QUESTION, options: { profile: "paper" } },
};

/** The parameters of a request, by our names. */
const RECEIVED: Record<string, (request: any) => object> = {
  reasoning: ({ temperature, top_p, max_output_tokens, reasoning, text }) => ({
    temperature,
    top_p,
    max_output_tokens,
    reasoning_effort: reasoning?.effort,
    verbosity: text?.verbosity,
  }),
  openai: ({ temperature, top_p, max_tokens, frequency_penalty, presence_penalty, seed, reasoning_effort }) => ({
    temperature,
    top_p,
    max_output_tokens: max_tokens,
    frequency_penalty,
    presence_penalty,
    seed,
    reasoning_effort,
  }),
};
const defined = (given: object) => JSON.parse(JSON.stringify(given));

const MODEL_OF: Record<string, string> = { reasoning: "-2026-10-26", openai: "" };

describe.each(["reasoning", "openai"])("on the server %s", (provider) => {
  it.each(Object.keys(BODIES))("%s completes, and records what was sent", async (name) => {
    const body = BODIES[name]!;
    const plan = name === "ideation" ? await planOfIdeation(client, body) : await planFromMock(client, body);
    const models = await planModel(plan, provider);
    const id = await start(client.live, { ...body, models });
    await runWithStatus(client.live, id, "completed");

    const calls = await callsOf(id);
    const made = (await artifactsOf(client.live, id)).filter(({ model }) => model !== null);
    expect(made.length).toBeGreaterThan(0);
    const [, asked] = models.default.split("/");
    for (const artifact of made) {
      const answered = calls.filter(({ step, status }) => step === artifact.step && status === 200);
      const received = defined(RECEIVED[provider]!(answered.at(-1)!.request));
      expect({ step: artifact.step, parameters: artifact.parameters }).toEqual({
        step: artifact.step,
        parameters: received,
      });
      expect(artifact).toMatchObject({
        model: models.default,
        response_model: `${asked}${MODEL_OF[provider]}`,
        usage: { reasoning_tokens: provider === "reasoning" ? 8 * answered.length : 0 },
      });
    }

    const { body: manifest } = await call("GET", `/v1/runs/${id}/manifest`, { key: client.live });
    const dropped = made.flatMap(({ dropped_parameters }) => Object.keys(dropped_parameters));
    if (provider === "openai") expect([dropped, manifest.notes]).toEqual([[], []]);
    if (provider === "reasoning" && name.endsWith("paper")) {
      expect(dropped).toContain("temperature");
      expect(manifest.notes.join(" ")).toMatch(
        /temperature .* does not support this, .* departs from the published method/,
      );
    }
    const { body: run } = await call("GET", `/v1/runs/${id}`, { key: client.live });
    const sum = made.reduce((total, { usage }) => total + usage.reasoning_tokens, 0);
    expect(run.usage.reasoning_tokens).toBe(sum);
  });
});
