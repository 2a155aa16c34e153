import { describe, expect, it } from "vitest";
import { createLlm, type EmbeddingCall, parseProviders, type Usage } from "#llm";

const NO_MEMORY = { recall: async () => null, remember: async () => {} };
const PRICE = { price: { input: 2, output: 0 } };

/** An embeddings endpoint that gives every request the same answer. */
function encoder(answer: (texts: string[]) => Response | Promise<Response>) {
  const seen: { url: string; body: { model: string; input: string[] }; headers: Headers }[] = [];
  const llm = createLlm({
    providers: parseProviders({
      OPENAI_BASE_URL: "http://encoder.test/v1",
      OPENAI_EMBEDDING_MODEL: "small",
      PROVIDERS: JSON.stringify({ openai: { models: { small: PRICE } } }),
    }),
    memory: NO_MEMORY,
    fetch: async (input, init) => {
      const body = JSON.parse(String(init?.body)) as { model: string; input: string[] };
      seen.push({ url: String(input), body, headers: new Headers(init?.headers) });
      return answer(body.input);
    },
  });
  return { llm, seen };
}

const data = (...vectors: number[][]) => vectors.map((embedding, index) => ({ index, embedding }));
const call = (more: Partial<EmbeddingCall> = {}): EmbeddingCall => ({
  model: "openai/small",
  texts: ["one", "two"],
  labels: { run: "run_1", step: "stage/embed#a" },
  timeout_ms: 1000,
  mock: false,
  ...more,
});

describe("embeddings", () => {
  it("asks the provider once, names run and step, and returns unit vectors in the order of the texts", async () => {
    const { llm, seen } = encoder(() =>
      Response.json({ data: data([3, 4], [0, 2]).toReversed(), usage: { prompt_tokens: 500_000 } }),
    );
    const spent: Usage[] = [];
    const { model, vectors } = await llm.embed(call({ spent: (usage) => spent.push(usage) }));
    expect(model).toBe("openai/small");
    expect(vectors.map((vector) => [...vector].map((value) => value.toFixed(2)))).toEqual([
      ["0.60", "0.80"],
      ["0.00", "1.00"],
    ]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      url: "http://encoder.test/v1/embeddings",
      body: { model: "small", input: ["one", "two"] },
    });
    expect(seen[0]!.headers.get("x-parley-step")).toBe("stage/embed#a");
    expect(spent).toEqual([
      {
        llm_calls: 1,
        input_tokens: 500_000,
        cached_input_tokens: 0,
        output_tokens: 0,
        reasoning_tokens: 0,
        cost_usd: 1,
      },
    ]);
  });

  it.each([
    ["too few vectors", { data: data([1, 0]) }],
    ["vectors of two lengths", { data: data([1, 0], [1, 0, 0]) }],
    ["a vector twice", { data: [...data([1, 0]), ...data([1, 0])] }],
    ["a vector without a direction", { data: data([1, 0], [0, 0]) }],
    ["no data", { object: "list" }],
  ])("reports a retryable provider_unavailable when the provider sends %s", async (_what, body) => {
    const { llm } = encoder(() => Response.json(body));
    await expect(llm.embed(call())).rejects.toMatchObject({
      code: "provider_unavailable",
      options: { retryable: true, usage: { llm_calls: 1 } },
    });
  });

  it("passes on a rate limit with the time to wait, and counts the request", async () => {
    const { llm } = encoder(() =>
      Response.json({ error: { message: "slow" } }, { status: 429, headers: { "retry-after": "7" } }),
    );
    const spent: Usage[] = [];
    await expect(llm.embed(call({ spent: (usage) => spent.push(usage) }))).rejects.toMatchObject({
      code: "provider_rate_limited",
      options: { retry_after_ms: 7000 },
    });
    expect(spent).toMatchObject([{ llm_calls: 1, input_tokens: 0 }]);
  });

  it("sends no request when the budget forbids it", async () => {
    const { llm, seen } = encoder(() => Response.json({}));
    const forbid = async () => {
      throw new Error("over budget");
    };
    await expect(llm.embed(call({ reserve: forbid }))).rejects.toThrow("over budget");
    expect(seen).toEqual([]);
  });

  it("is mocked in process: similar texts are nearer to each other than different ones, in any script", async () => {
    const { llm, seen } = encoder(() => Response.json({}));
    const near = async (one: string, other: string) => {
      const { vectors } = await llm.embed(call({ texts: [one, other], mock: true }));
      return vectors[0]!.reduce((sum, value, at) => sum + value * vectors[1]![at]!, 0);
    };
    expect(await near("The lawyer may advertise.", "The lawyer may advertise.")).toBeCloseTo(1);
    expect(await near("O advogado pode anunciar", "O Advogado póde anunciar!")).toBeGreaterThan(0.9);
    expect(await near("The lawyer may advertise", "Bees dance for nectar")).toBeLessThan(0.4);
    expect(await near("弁護士は広告できる", "弁護士は広告できない")).toBeGreaterThan(0.3);
    expect(seen).toEqual([]);
  });
});
