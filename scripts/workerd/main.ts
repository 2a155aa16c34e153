// The process that serves a built Worker with workerd: node main.ts <JSON of Serving>. It prints the Worker's log.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { onSource } from "./source-positions.ts";

/** `import` would parse its file of several megabytes once more, to find out that it is CommonJS: 0.15 s. */
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare }: typeof import("miniflare") = createRequire(
  import.meta.url,
)("miniflare");

export interface Serving {
  /** as `Built` has it */
  entry: string;
  /** as `Built` has it */
  options: string;
  /** folder of all stored state */
  state: string;
  port: number;
  /** file of JSON with variables of the Worker, in addition to those of its configuration */
  variables: string;
}

const { entry, options, state, port, variables } = JSON.parse(process.argv[2] ?? "") as Serving;
const folder = dirname(entry);
const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** Kinds of modules by the ends of their names. */
const KINDS: Record<string, "Text" | "CompiledWasm"> = { ".md": "Text", ".wasm": "CompiledWasm" };
const besides = readdirSync(folder).flatMap((name) => {
  const kind = name === "README.md" ? undefined : KINDS[name.slice(name.lastIndexOf("."))];
  return kind ? [{ type: kind, path: join(folder, name) }] : [];
});

/** Cloudflare reads the rest of a body that was refused; workerd alone would close the connection before the refusal has arrived. */
const ENTRY = `import worker from "./${basename(entry)}";
export * from "./${basename(entry)}";
export default {
  ...worker,
  async fetch(request, env, context) {
    try {
      return await worker.fetch(request, env, context);
    } finally {
      if (request.body && !request.bodyUsed) await request.body.pipeTo(new WritableStream()).catch(() => {});
    }
  },
};`;

const { modulesRules: _, ...worker } = readJson(options);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port,
    resourcePersistencePath: join(state, "v3"),
    cf: false,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    telemetry: { enabled: false },
    handleStructuredLogs: ({ level, message }) => {
      const stream = level === "error" ? process.stderr : process.stdout;
      stream.write(`${onSource(message, entry)}\n`);
    },
    workers: [
      {
        ...worker,
        rootPath: folder,
        modulesRoot: folder,
        modules: [
          { type: "ESModule", path: join(folder, "local-entry.js"), contents: ENTRY },
          { type: "ESModule", path: entry },
          ...besides,
        ],
        bindings: { ...worker.bindings, ...readJson(variables) },
      },
    ],
  }),
);

const stop = async () => {
  await miniflare.dispose();
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());

try {
  await miniflare.ready;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
