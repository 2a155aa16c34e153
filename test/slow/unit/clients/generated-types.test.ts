/**
 * Types that public generators make of openapi.json, with their own defaults, accept every example of the document (which /docs shows) and every
 * request of the README. The examples are compiled as TypeScript.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../../../openapi/openapi.json";

const ROOT = join(import.meta.dirname, "../../../..");
const TOOLS = join(ROOT, "clients/typescript/node_modules");
const DOCUMENT = join(ROOT, "openapi/openapi.json");
const METHODS = ["get", "put", "post", "patch", "delete"] as const;

interface Content {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

/** An example, where the document has its type. `status`: of the answer; null: it is the body of the request. */
interface Example {
  path: string;
  method: string;
  operation: Operation;
  status: string | null;
  media: string;
  value: unknown;
}

const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = (item as unknown as Record<string, Operation>)[method];
    return operation ? [{ path, method, operation }] : [];
  }),
);

/** Only JSON has types: the rest is text. */
const TYPED = ["application/json", "text/event-stream"];

const examplesIn = (content: Record<string, Content> = {}) =>
  Object.entries(content).flatMap(([media, { example, examples = {} }]) =>
    TYPED.includes(media)
      ? [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].map(
          (value) => ({ media, value }),
        )
      : [],
  );

const ofDocument: Example[] = operations.flatMap(({ path, method, operation }) => [
  ...examplesIn(operation.requestBody?.content).map((it) => ({ path, method, operation, status: null, ...it })),
  ...Object.entries(operation.responses)
    .filter(([status]) => status < "300")
    .flatMap(([status, { content }]) => examplesIn(content).map((it) => ({ path, method, operation, status, ...it }))),
]);

/** The JSON bodies that the README sends with curl. */
const ofReadme: Example[] = [
  ...readFileSync(join(ROOT, "README.md"), "utf8")
    .replaceAll(/'\$(\w+)'/g, "$1") // a shell variable inside of a quoted body
    .matchAll(/curl [^\n]*?\$PARLEY(\/v1[^\s"?]*)(?:(?!\ncurl|```)[^])*?application\/json' *(?:\\\n *)?-d '([^']*)'/g),
].map(([, url, body]) => {
  const path = url!.replaceAll(/\$\w+/g, "{id}");
  const operation = operations.find((one) => one.path === path && one.method === "post")!.operation;
  return { path, method: "post", operation, status: null, media: "application/json", value: JSON.parse(body!) };
});

/** How a type is called in the types of a generator. */
interface Generator {
  generate(folder: string): void;
  typeOf(example: Example): string;
  /** Declares the types `Run`, `Event`, `CreateRun` and `Webhook`. */
  prelude: string;
}

const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const COMPONENTS = ["Run", "Event", "CreateRun", "Webhook"];

const GENERATORS: Record<string, Generator> = {
  "openapi-typescript": {
    generate: (folder) => {
      const program = join(TOOLS, "openapi-typescript/bin/cli.js");
      // In a folder without a redocly.yaml: it would lint the document with that.
      execFileSync(process.execPath, [program, DOCUMENT, "--output", join(folder, "types.ts")], { cwd: folder });
    },
    typeOf: ({ path, method, status, media }) => {
      const operation = `paths["${path}"]["${method}"]`;
      const body =
        status === null ? `NonNullable<${operation}["requestBody"]>` : `${operation}["responses"][${status}]`;
      return `${body}["content"]["${media}"]`;
    },
    prelude: `import type { components, paths } from "./types";\n${COMPONENTS.map(
      (name) => `type ${name} = components["schemas"]["${name}"];`,
    ).join("\n")}`,
  },
  "@hey-api/openapi-ts": {
    generate: (folder) => {
      const program = join(TOOLS, "@hey-api/openapi-ts/bin/run.js");
      const output = join(folder, "generated");
      execFileSync(
        process.execPath,
        [program, "--input", DOCUMENT, "--output", output, "--plugins", "@hey-api/typescript", "--silent"],
        { cwd: folder },
      );
    },
    typeOf: ({ operation, status, media }) => {
      if (media === "text/event-stream") return "Event"; // its type of a stream is a list
      const name = `types.${pascal(operation.operationId)}`;
      return status === null ? `NonNullable<${name}Data["body"]>` : `${name}Responses[${status}]`;
    },
    prelude: `import type * as types from "./generated/types.gen";\n${COMPONENTS.map(
      (name) => `type ${name} = types.${name};`,
    ).join("\n")}`,
  },
};

/** What a union narrows to, and that a value of another type is refused. */
const USE = `
export function read(run: Run, event: Event, webhook: Webhook): unknown[] {
  const seen: unknown[] = [];
  if (run.workflow === "debate") {
    const rounds: number = run.options.rounds;
    seen.push(rounds, run.output?.citations[0]?.quote, run.input.question);
    // @ts-expect-error -- an option of another workflow
    seen.push(run.options.qa_rounds);
  }
  if (run.workflow === "requirements") seen.push(run.options.qa_rounds, run.output?.accepted);
  if (event.type === "run.failed") seen.push(event.data.error.code);
  if (event.type === "run.input_required") seen.push(event.data.interaction_id);
  // @ts-expect-error -- data of another type
  if (event.type === "run.paused") seen.push(event.data.error);
  if (webhook.type === "run.input_required") seen.push(webhook.data.interaction.callback_url, webhook.data.event.seq);
  if (webhook.type === "webhook.ping") seen.push(webhook.data.endpoint.id);
  return seen;
}
export const least: CreateRun[] = [
  { workflow: "debate", input: { question: "May a tenant sublet?" } },
  { workflow: "ideation", input: { topic: "Quiet cities" }, options: { trials: 2 } },
];
export const wrong: CreateRun[] = [
  // @ts-expect-error -- an option of another workflow
  { workflow: "debate", input: { question: "May a tenant sublet?" }, options: { qa_rounds: 1 } },
  // @ts-expect-error -- no such workflow
  { workflow: "debates", input: { question: "May a tenant sublet?" } },
];
`;

describe.each(Object.entries(GENERATORS))("types by %s", (_, { generate, typeOf, prelude }) => {
  let folder: string;
  /** The errors of the compiler, each with its file. */
  let errors: string[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-types-"));
    generate(folder);
    const examples = [...ofDocument, ...ofReadme].map(
      (one, index) => `export const e${index}: ${typeOf(one)} = ${JSON.stringify(one.value)};`,
    );
    const run = ofReadme.find(({ path }) => path === "/v1/runs")!;
    const misspelt = { ...(run.value as object), optoins: {} };
    const sources = {
      "examples.ts": examples.join("\n"),
      "use.ts": USE,
      "misspelt.ts": `export const e: ${typeOf(run)} = ${JSON.stringify(misspelt)};`,
    };
    for (const [file, source] of Object.entries(sources)) writeFileSync(join(folder, file), `${prelude}\n${source}`);
    // Once for all files: most of its time goes into the types.
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler"];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [compiler, ...flags, "--types", "", ...Object.keys(sources)],
      { cwd: folder, encoding: "utf8" },
    );
    errors = `${stdout}${stderr}`.split(/^(?=\S)/m).filter(Boolean);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const errorsIn = (file: string) => errors.filter((error) => error.startsWith(file));

  test("accept every example of the document and of the README", () => {
    expect(errorsIn("examples.ts")).toEqual([]);
  });

  test("tell runs by their workflow, and events and webhooks by their type; defaults may be left out of requests", () => {
    expect(errorsIn("use.ts")).toEqual([]);
  });

  test("refuse an example with a field that there is not", () => {
    expect(errors).toEqual([expect.stringMatching(/^misspelt\.ts.*optoins/s)]);
  });
});

test("the examples are those of all operations with a body, and the README's", () => {
  expect(ofDocument.length).toBeGreaterThan(80);
  expect(ofReadme.map(({ path }) => path)).toEqual([
    "/v1/runs",
    "/v1/interactions/{id}/answer",
    "/v1/webhook-endpoints",
    "/v1/webhook-endpoints/{id}/lease",
    "/v1/webhook-endpoints/{id}/acknowledge",
    "/v1/corpora",
    "/v1/corpora/{id}/search",
    "/v1/datasets",
    "/v1/runs",
  ]);
});
