/** The TypeScript SDK against the OpenAPI document: every operation, the types, the size. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { expect, expectTypeOf, it } from "vitest";
import { type ErrorCode, Parley, type RunOf, type Webhook } from "../../../clients/typescript/src/index";

const ROOT = join(import.meta.dirname, "../../..");
const document = JSON.parse(readFileSync(join(ROOT, "openapi/openapi.json"), "utf8"));

/** Pieces that together give every method what it needs to send its request. */
const ARGUMENTS: Record<string, unknown[]> = {
  "corpora.upload": ["x", [{ text: "a", source: "b" }]],
  "datasets.upload": [{ id: "x" }, [{ id: "one", input: {} }]],
};
const NO_REQUEST = new Set(["webhooks.unwrap"]);

/** Methods of an object, by dotted path. */
function methodsOf(value: object, path = ""): [string, (...given: unknown[]) => unknown][] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "function" ? [[path + name, member]] : methodsOf(member, `${path}${name}.`),
  );
}

/** Lets a method send its requests: promises, lists and generators. */
async function use(result: any): Promise<void> {
  if (typeof result?.next === "function") await result.next();
  else if (typeof result?.page === "function") await result.page();
  else await result;
}

it("every operation of the document is sent by a method, at its path", async () => {
  const sent = new Set<string>();
  const parley = new Parley({
    baseURL: "https://parley.test",
    apiKey: "key",
    maxRetries: 0,
    fetch: async (url, init) => {
      sent.add(`${init.method!.toLowerCase()} ${new URL(url).pathname.replaceAll("/x", "/{}")}`);
      return Response.json({ id: "x", status: "completed", counts: {}, errors: [], data: [], next_cursor: null });
    },
  });
  for (const [path, method] of methodsOf(parley)) {
    if (NO_REQUEST.has(path)) continue;
    // Waiting ends with the failure to read an answer that is no run.
    await use(method(...(ARGUMENTS[path] ?? ["x", "x", { signal: AbortSignal.timeout(200) }]))).catch(() => undefined);
  }
  const operations = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace(/{\w+}/g, "{}")}`),
  );
  expect(operations.length).toBeGreaterThan(60);
  expect(operations.filter((operation) => !sent.has(operation))).toEqual([]);
  expect([...sent].filter((request) => !operations.includes(request))).toEqual([]);
});

it("has at most 15 KiB, bundled and gzipped", async () => {
  const entryPoint = join(ROOT, "clients/typescript/src/index.ts");
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]!.contents).length;
  process.stderr.write(`The TypeScript SDK has ${(bytes / 1024).toFixed(1)} KiB, bundled and gzipped.\n`);
  expect(bytes).toBeLessThanOrEqual(15 * 1024);
});

/** Never called: the compiler checks each line. */
export async function types(parley: Parley): Promise<void> {
  const run = await parley.runs.create({ workflow: "plain", input: { task: "Say yes" } });
  expectTypeOf(run).toEqualTypeOf<RunOf<"plain">>();

  // @ts-expect-error There is no such workflow.
  await parley.runs.create({ workflow: "debates", input: { question: "Why?" } });
  // @ts-expect-error There is no such option.
  await parley.runs.create({ workflow: "debate", input: { question: "Why?" }, options: { debatres: 2 } });
  // @ts-expect-error The value is not one of the option's.
  await parley.runs.create({ workflow: "debate", input: { question: "Why?" }, options: { topology: "star" } });
  // @ts-expect-error The option is one of another workflow.
  await parley.runs.create({ workflow: "waterfall", input: { requirement: "A shop" }, options: { rounds: 2 } });
  // @ts-expect-error The input lacks its question.
  await parley.runs.createAndWait({ workflow: "debate", input: {} });

  const debate = await parley.runs.createAndWait({ workflow: "debate", input: { question: "Why?" } });
  expectTypeOf(debate.output!.answer).toEqualTypeOf<string | null>();
  // @ts-expect-error The output is one of another workflow.
  expectTypeOf(debate.output!.iterations).toBeAny();

  const any = await parley.runs.get(run.id);
  if (any.workflow === "debate") expectTypeOf(any.output!.confidence).toEqualTypeOf<number | null>();

  for await (const event of parley.runs.events(run.id)) {
    if (event.type === "run.artifact_created") expectTypeOf(event.data.artifact_id).toEqualTypeOf<string>();
    // @ts-expect-error Only some types of events have an artifact.
    expectTypeOf(event.data.artifact_id).toBeAny();
  }
  for await (const artifact of parley.artifacts.list(run.id)) expectTypeOf(artifact.kind).toEqualTypeOf<string>();
  expectTypeOf<"wrong_state">().toExtend<ErrorCode>();
  expectTypeOf(await parley.webhooks.unwrap("", {}, "")).toEqualTypeOf<Webhook>();
  // @ts-expect-error A list takes the parameters of its operation.
  parley.runs.list({ colour: "red" });
}
