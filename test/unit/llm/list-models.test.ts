import { expect, test } from "vitest";
import { modelWarning } from "#llm";
import { fakeProvider, json, llmOver } from "./fake-provider";

const model = (name: string, shutdown_date: string | null = null) => ({ model: `fake/${name}`, shutdown_date });

test("a provider's models are listed by name, with the day of their shutdown where it tells one", async () => {
  await using provider = await fakeProvider(
    json(200, {
      object: "list",
      data: [
        { id: "small", object: "model", shutdown_date: "2026-12-11" },
        { id: "large", object: "model", shutdown_date: null },
        { id: "local", object: "model", owned_by: "library" },
        { id: "odd", shutdown_date: "soon" },
      ],
    }),
  );
  expect(await llmOver(provider).models("fake")).toEqual([
    model("large"),
    model("local"),
    model("odd"),
    model("small", "2026-12-11"),
  ]);
  expect(provider.received[0]!.path).toBe("/v1/models");
});

test("a list of another form is an error, not an empty list", async () => {
  await using provider = await fakeProvider(json(200, { models: [] }));
  await expect(llmOver(provider).models("fake")).rejects.toThrow("another form");
});

test.each([
  ["a model that lasts", "small", [model("small")], null],
  ["a model that lasts for more than 60 days", "small", [model("small", "2027-02-01")], null],
  [
    "a model that retires",
    "small",
    [model("large"), model("small", "2026-12-11"), model("tiny", "2026-12-11")],
    "The model fake/small will be shut down on 2026-12-11. Set OPENAI_MODEL, or default_model in PROVIDERS, to another: fake/large.",
  ],
  [
    "a model that its provider has not",
    "small",
    [model("large")],
    "The model fake/small is not among those of its provider. Set OPENAI_MODEL, or default_model in PROVIDERS, to another: fake/large.",
  ],
])("%s", (_name, name, listed, expected) => {
  expect(modelWarning(`fake/${name}`, listed, "2026-11-26")).toBe(expected);
});
