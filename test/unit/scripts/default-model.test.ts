import { expect, test } from "vitest";
import { defaultModelWarning } from "../../../scripts/lib/default-model.ts";

const lists =
  (...ids: string[]) =>
  async () =>
    Response.json({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });
const OWN = { OPENAI_API_KEY: "sk-1", OPENAI_MODEL: "small" };

test("a default model that its provider has is nothing to warn of, and neither is none", async () => {
  expect(await defaultModelWarning(OWN, lists("small", "large"))).toBeNull();
  expect(await defaultModelWarning({}, lists())).toBeNull();
});

test("a default model that its provider has not is named, with those that it has", async () => {
  expect(await defaultModelWarning(OWN, lists("large"))).toBe(
    "The model openai/small is not among those of its provider. Set OPENAI_MODEL, or default_model in PROVIDERS, to another: openai/large.",
  );
});

test("a provider that does not answer is a warning too, which does not hold the key", async () => {
  const refuse = async () => Response.json({ error: { message: "no" } }, { status: 401 });
  const warning = await defaultModelWarning(OWN, refuse);
  expect(warning).toMatch(/^openai could not be asked whether it has the model openai\/small: /);
  expect(warning).not.toContain("sk-1");
});
