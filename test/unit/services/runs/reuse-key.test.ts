import { expect, test } from "vitest";
import { reuseKey } from "#services/runs/reuse-key";
import type { RunRequest } from "#services/runs/parse-run-request";
import { TOY_ACTION } from "../../../support/toy-runs";

const WORKFLOW = { name: "toy", version: 1, actions: [TOY_ACTION] };
const REQUEST = { input: { q: 1, r: 2 }, options: { o: 1 }, limits: {} };
const MODELS = { default: "x/y", roles: { r: { model: "x/y", seed: 1 } }, embedding: null, seed: 1 };

const keyOf = (changes: { workflow?: object; request?: object; models?: object; repetition?: number } = {}) =>
  reuseKey(
    {
      workflow: { ...WORKFLOW, ...changes.workflow },
      request: { ...REQUEST, ...changes.request },
      models: { ...MODELS, ...changes.models },
    } as unknown as RunRequest,
    changes.repetition ?? 0,
  );

test("equal requests have equal keys, in whatever order their fields stand", () => {
  expect(keyOf()).toMatch(/^[0-9a-f]{64}$/);
  expect(keyOf({ request: { input: { r: 2, q: 1 } } })).toBe(keyOf());
});

test("a run stands for no other with another request, code, prompt, model, seed or repetition", () => {
  const keys = [
    keyOf(),
    keyOf({ workflow: { name: "other" } }),
    keyOf({ workflow: { version: 2 } }),
    keyOf({ workflow: { actions: [{ ...TOY_ACTION, prompt: "Another." }] } }),
    keyOf({ workflow: { actions: [{ ...TOY_ACTION, paper: { prompt: "Another." } }] } }),
    keyOf({ request: { input: { q: 2, r: 2 } } }),
    keyOf({ request: { options: { o: 2 } } }),
    keyOf({ request: { limits: { max_llm_calls: 1 } } }),
    keyOf({ models: { seed: 2 } }),
    keyOf({ models: { roles: { r: { model: "x/z", seed: 1 } } } }),
    keyOf({ repetition: 1 }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
