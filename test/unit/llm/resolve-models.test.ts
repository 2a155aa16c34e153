import { describe, expect, test } from "vitest";
import { Problem } from "#core/errors";
import { modelsRequestSchema, parseProviders, resolveModels, type ModelsRequest } from "#llm";

const ROLES = [
  { name: "debater", decoding: { temperature: 0.7, max_output_tokens: 3000 } },
  { name: "judge", decoding: { temperature: 0, seed: 5 } },
];
const BOTH = parseProviders({
  OPENAI_API_KEY: "sk-1",
  OPENAI_MODEL: "gpt-x",
  PROVIDERS: `{"local": {"base_url": "http://localhost:1/v1"}}`,
});
const NONE = parseProviders({});

function problemOf(request: ModelsRequest, providers = BOTH, mode: "live" | "test" = "live"): Problem {
  try {
    resolveModels(request, ROLES, providers, mode);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("nothing was wrong with it");
}

describe("models resolve", () => {
  test("to the configured default with each role's decoding", () => {
    expect(resolveModels({}, ROLES, BOTH, "live")).toEqual({
      default: "openai/gpt-x",
      roles: {
        debater: { model: "openai/gpt-x", temperature: 0.7, max_output_tokens: 3000 },
        judge: { model: "openai/gpt-x", temperature: 0, seed: 5 },
      },
      embedding: null,
      seed: null,
    });
  });

  test("with the request over the role's defaults, and the seed for roles without their own", () => {
    const request = { default: "local/a/b", roles: { judge: "openai/gpt-y", debater: { temperature: 0 } }, seed: 9 };
    expect(resolveModels(request, ROLES, BOTH, "live")).toEqual({
      default: "local/a/b",
      embedding: null,
      roles: {
        debater: { model: "local/a/b", temperature: 0, max_output_tokens: 3000, seed: 9 },
        judge: { model: "openai/gpt-y", temperature: 0, seed: 5 },
      },
      seed: 9,
    });
  });

  test("one of several roles by its role, then by its own entry", () => {
    const request = { roles: { debater_2: { temperature: 1.5 }, debater: "local/a" } };
    const { roles } = resolveModels(request, ROLES, BOTH, "live");
    expect(roles.debater_2).toEqual({ model: "local/a", temperature: 1.5, max_output_tokens: 3000 });
    expect(Object.keys(roles)).toEqual(["debater", "judge", "debater_2"]);
  });

  test("a list to a model and its fallbacks, which a model of one's own replaces", () => {
    const roles = {
      judge: ["openai/gpt-y", "local/b"],
      debater_2: { model: "local/c" },
      debater_3: { fallbacks: ["local/d"] },
    };
    const request = modelsRequestSchema.parse({ default: ["local/a", "openai/gpt-z"], roles });
    const resolved = resolveModels(request, ROLES, BOTH, "live");
    expect(resolved.default).toBe("local/a");
    expect(resolved.roles).toMatchObject({
      debater: { model: "local/a", fallbacks: ["openai/gpt-z"] },
      judge: { model: "openai/gpt-y", fallbacks: ["local/b"] },
      debater_3: { model: "local/a", fallbacks: ["local/d"] },
    });
    expect(resolved.roles.debater_2).toEqual({ model: "local/c", temperature: 0.7, max_output_tokens: 3000 });
    expect(modelsRequestSchema.safeParse({ default: ["local/a", "local/a"] }).success).toBe(false);
  });

  test("to the mock model in test mode when none is named or configured", () => {
    const resolved = resolveModels({}, ROLES, NONE, "test");
    expect(resolved.default).toBe("mock");
    expect(resolved.roles.judge).toEqual({ model: "mock", temperature: 0, seed: 5 });
    expect(resolveModels({ default: resolved.default, roles: resolved.roles }, ROLES, NONE, "test")).toEqual(resolved);
  });

  test("in test mode to the models of a live run, if they are configured", () => {
    expect(resolveModels({}, ROLES, BOTH, "test").default).toBe("openai/gpt-x");
  });

  test("without any default when every role is given a model", () => {
    const local = parseProviders({ PROVIDERS: `{"local": {"base_url": "http://localhost:1/v1"}}` });
    const resolved = resolveModels({ roles: { debater: "local/a", judge: "local/b" } }, ROLES, local, "live");
    expect(resolved.roles.judge?.model).toBe("local/b");
    expect(resolved.default).toBe("local/a");
  });
});

describe("models are refused", () => {
  test.each([
    { default: ["a/b", "a/b"] },
    { roles: { judge: ["a/b", "a/b"] } },
    { roles: { judge: { model: "a/b", fallbacks: ["a/b"] } } },
    { roles: { judge: { fallbacks: ["a/c", "a/c"] } } },
  ])("that are named twice for one role: %j", (request) => {
    expect(modelsRequestSchema.safeParse(request).error?.message).toContain("A model is named twice.");
  });

  test("for an unknown provider, listing the configured ones", () => {
    const problem = problemOf({ default: "nowhere/x", roles: { judge: "elsewhere/y", debater: { model: "lost/z" } } });
    expect(problem.code).toBe("unknown_provider");
    expect(problem.detail).toContain("openai, local");
    expect(problem.errors.map(({ path, code }) => [path, code])).toEqual([
      ["models.default", "unknown_provider"],
      ["models.roles.judge", "unknown_provider"],
      ["models.roles.debater.model", "unknown_provider"],
    ]);
  });

  test("in test mode only for their form", () => {
    const models: ModelsRequest = { default: "nowhere/x", roles: { judge: "lost/z" }, embedding: "nowhere/y" };
    const { roles, embedding } = resolveModels(models, ROLES, NONE, "test");
    expect([roles.judge!.model, roles.debater!.model, embedding]).toEqual(["lost/z", "nowhere/x", "nowhere/y"]);
    expect(problemOf({ roles: { judge: "judge" } }, NONE, "test").errors).toMatchObject([{ code: "invalid_format" }]);
  });

  test("for an unknown role, listing the roles", () => {
    const problem = problemOf({ roles: { jury: "openai/x", judge_0: "openai/x", judge_1: "openai/x" } });
    expect(problem.code).toBe("validation_failed");
    expect(problem.errors.map(({ path }) => path)).toEqual(["models.roles.jury", "models.roles.judge_0"]);
    expect(problem.detail).toContain("debater, judge");
  });

  test.each(["openai", "openai/", "/gpt-x", "mock"])(
    "for %j, which is not <provider>/<model> in live mode",
    (model) => {
      const problem = problemOf({ default: model });
      expect(problem.code).toBe("validation_failed");
      expect(problem.errors).toMatchObject([{ path: "models.default", code: "invalid_format" }]);
    },
  );

  test("when there is no model at all in live mode", () => {
    const problem = problemOf({}, NONE);
    expect(problem.code).toBe("no_model_configured");
    expect(problem.errors.map(({ path }) => path)).toEqual(["models.roles.debater", "models.roles.judge"]);
  });

  test("with every error at once", () => {
    const problem = problemOf({ default: "openai", roles: { jury: "openai/x", judge: "nowhere/x" } });
    expect(problem.code).toBe("validation_failed");
    expect(problem.errors.map(({ code }) => code)).toEqual(["invalid_format", "unknown_provider", "unknown_role"]);
  });
});

describe("the request's schema", () => {
  test("accepts the example of api.md", () => {
    const request = {
      default: "openai/a",
      roles: { judge: "openai/b", debater_2: { temperature: 2, top_p: 1, presence_penalty: -2 } },
      seed: 0,
    };
    expect(modelsRequestSchema.parse(request)).toEqual(request);
  });

  test.each([
    [{ temperature: 2.1 }],
    [{ top_p: -0.1 }],
    [{ max_output_tokens: 0 }],
    [{ max_output_tokens: 200_001 }],
    [{ frequency_penalty: 2.1 }],
    [{ presence_penalty: -2.1 }],
    [{ seed: 1.5 }],
    [{ top_k: 4 }],
  ])("refuses a role with %j", (role) => {
    expect(modelsRequestSchema.safeParse({ roles: { judge: role } }).success).toBe(false);
  });

  test("refuses unknown fields", () => {
    expect(modelsRequestSchema.safeParse({ model: "openai/a" }).success).toBe(false);
  });

  test("with an embedding model: that of the request, else the deployment's, else none; in test mode the mock run's", () => {
    const configured = parseProviders({ OPENAI_API_KEY: "k", OPENAI_MODEL: "m", OPENAI_EMBEDDING_MODEL: "e" });
    const embedding = (request: object, mode: "live" | "test" = "live") =>
      resolveModels(request, ROLES, configured, mode).embedding;
    expect(embedding({})).toBe("openai/e");
    expect(embedding({ embedding: "openai/other" })).toBe("openai/other");
    expect(embedding({ embedding: null })).toBeNull();
    expect(embedding({}, "test")).toBe("mock");
    expect(() => embedding({ embedding: "nobody/e" })).toThrow("There is no provider nobody");
  });
});
