// Builds packages of npm without their parts that Parley never uses, which no bundler can leave out: dist/openai.mjs, dist/gherkin.mjs
// and dist/zod-to-openapi.mjs.
// `npm run assets` and vitest.config.ts call this; it does nothing when the files are up to date. wrangler.toml and vitest.config.ts put the
// files in the place of the packages.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OnLoadArgs, type OnLoadResult } from "esbuild";

const DIST = join(import.meta.dirname, "../../dist");

/** Modules of `openai` with parts of the API, and with helpers around chat completions that stream or call tools in a loop. */
const PARTS = /\/openai\/(resources\/.+|lib\/(ChatCompletion\w*|EventStream))\.mjs$/;
/** Of these, what Parley calls, and what that shares with others. */
const CALLED = /\/resources\/(chat\/(.+\/)?(chat|completions|index)|chat|embeddings|index|shared)\.mjs$/;

/** Empty classes in the place of parts of the API. */
function withoutMethods({ path }: OnLoadArgs): OnLoadResult | undefined {
  if (CALLED.test(path)) return undefined;
  const text = readFileSync(path, "utf8");
  const classes = [...text.matchAll(/^export (?:class|const|var|let|function) (\w+)/gm)].map(([, name]) => name);
  const passedOn = [...text.matchAll(/^export .* from .*$/gm)].map(([line]) => line);
  return { contents: [...classes.map((name) => `export class ${name} {}`), ...passedOn].join("\n") };
}

/** Logins of `openai` other than a key; its client asks whether one is configured, and none is. */
const LOGINS = /\/openai\/(internal\/auth\/x509-.+|auth\/workload-identity-auth)\.mjs$/;
const NO_LOGINS = `
export const X509_API_BASE_URL = undefined;
export const normalizeX509CredentialOptions = (options) => ({ credential: undefined, options });
export const prepareX509ClientClone = () => { throw new Error("Parley makes each client anew."); };
export const isTransientX509ConnectionError = () => false;
export const assertX509APIOrigin = () => {}, markApprovedX509Client = () => {};
export class WorkloadIdentityAuth { constructor() { throw new Error("Parley calls providers with keys only."); } }
export class X509WorkloadIdentityAuth extends WorkloadIdentityAuth {}
export const isX509WorkloadIdentity = () => false;
export const assertX509RequestOptions = () => {};
export const assertX509FetchOptions = () => {};
export const assertX509WebSocketSupported = () => {};
export const snapshotX509RequestOptions = (options) => options;
`;

/** Connections by WebSocket: Parley opens none. */
const SOCKETS = /\/openai\/internal\/ws\.mjs$/;
const NO_SOCKETS = `
export const webSocketHeaderRemovals = new WeakMap();
export const buildWebSocketOptions = () => { throw new Error("Parley opens no WebSocket."); };
export { buildWebSocketOptions as mergeWebSocketAuthHeaders };
`;

/** Schemas of answers, which `openai` would parse by itself: src/llm/structured.ts does that. */
const PARSERS = /\/openai\/lib\/(parser|chat-completions\/streaming)\.mjs$/;
const NO_PARSERS = `
export const parseChatCompletion = () => { throw new Error("Parley reads answers itself."); };
export { parseChatCompletion as validateInputTools, parseChatCompletion as normalizeChatCompletionStream };
`;

/** Ways of `openai` to send files and to read streams and pages of lists: Parley sends JSON and waits for the whole answer. */
const TRANSFERS = /\/openai\/(core\/(streaming|pagination)|internal\/(uploads|to-file))\.mjs$/;
const NO_TRANSFERS = `
const refuse = () => { throw new Error("Parley's client sends JSON, and reads whole answers."); };
export class Stream { static fromSSEResponse = refuse; }
export class AbstractPage { constructor() { refuse(); } }
export { AbstractPage as PagePromise, AbstractPage as Page, AbstractPage as CursorPage, AbstractPage as ConversationCursorPage };
export { AbstractPage as NextCursorPage, AbstractPage as TokenPage };
export const toFile = refuse, toStreamingFile = refuse, maybeMultipartFormRequestOptions = refuse, multipartFormRequestOptions = refuse;
export const hasUploadableValue = () => false;
export const finalizeStreamingFormRequestOptions = () => {};
`;
/** The query of a URL with nested values: providers' addresses have flat ones. */
const FLAT_QUERY = "export const stringify = (fields) => new URLSearchParams(fields).toString();";

/** The English keywords of Gherkin: the prompts ask for these, and eighty other languages are as large as the parser. */
function englishOnly({ path }: OnLoadArgs): OnLoadResult {
  const { en } = JSON.parse(readFileSync(path, "utf8"));
  return { contents: JSON.stringify({ en }), loader: "json" };
}

const NO_GENERATORS = `
export class OpenApiGeneratorV3 { constructor() { throw new Error("The Worker has no generator: npm run openapi makes the document."); } }
export { OpenApiGeneratorV3 as OpenApiGeneratorV31 };
`;

interface Smaller {
  name: string;
  target?: string;
  exports: string;
  replaced: [filter: RegExp, load: (args: OnLoadArgs) => OnLoadResult | undefined][];
  external?: string[];
}

/** A module's name, what Parley imports from it, what is read in the place of some of its files, and what stays outside of it. */
const PACKAGES: Smaller[] = [
  {
    name: "openai",
    exports: 'export { OpenAI, OpenAI as default } from "./client.mjs"; export * from "./error.mjs";',
    replaced: [
      [LOGINS, () => ({ contents: NO_LOGINS })],
      [SOCKETS, () => ({ contents: NO_SOCKETS })],
      [PARSERS, () => ({ contents: NO_PARSERS })],
      [TRANSFERS, () => ({ contents: NO_TRANSFERS })],
      [/\/openai\/internal\/qs\/stringify\.mjs$/, () => ({ contents: FLAT_QUERY })],
      [PARTS, withoutMethods],
    ],
  },
  {
    name: "@cucumber/gherkin",
    exports: 'export { AstBuilder, GherkinClassicTokenMatcher, Parser } from "./index.js";',
    replaced: [[/gherkin-languages\.json$/, englishOnly]],
    external: ["@cucumber/messages"],
  },
  {
    // The Worker serves the document as a file; `npm run openapi` generates it, with the whole package.
    name: "@asteasolutions/zod-to-openapi",
    exports: `export { extendZodWithOpenApi, getOpenApiMetadata, OpenAPIRegistry } from "./index.mjs"; ${NO_GENERATORS}`,
    replaced: [],
    external: ["zod"],
  },
];

/** Builds all of them. @param folder for the modules; the first line of each names what it was made from */
export async function buildSmallerPackages(folder: string = DIST) {
  for (const smaller of PACKAGES) await buildPackage(smaller, join(folder, `${smaller.name.split("/").at(-1)}.mjs`));
}

async function buildPackage({ name, exports, replaced, external = [] }: Smaller, target: string) {
  const source = dirname(fileURLToPath(import.meta.resolve(name)));
  const script = readFileSync(fileURLToPath(import.meta.url));
  const banner = `// Made from ${createHash("sha256").update(script).update(packageJson(source)).digest("hex")}`;
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(banner)) return;
  const { outputFiles } = await build({
    stdin: { contents: exports, resolveDir: source },
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    external,
    plugins: [
      {
        name: "leave out parts",
        setup: ({ onLoad }) => replaced.forEach(([filter, load]) => onLoad({ filter }, load)),
      },
    ],
    banner: { js: banner },
    write: false,
  });
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}`; // an atomic rename: an interrupted build leaves no half-written file
  writeFileSync(temporary, outputFiles[0]?.text ?? "");
  renameSync(temporary, target);
}

/** The package.json of the package that a folder belongs to. */
function packageJson(folder: string): Buffer {
  const path = join(folder, "package.json");
  return existsSync(path) && "version" in JSON.parse(readFileSync(path, "utf8"))
    ? readFileSync(path)
    : packageJson(dirname(folder));
}
