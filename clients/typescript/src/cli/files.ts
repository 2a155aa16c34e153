import { createReadStream, createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { argument, type Command, type Context, flag, print, printJson, say, table, UsageError } from "./terminal.ts";

/** Writes to the file of `--out`, or to stdout. */
async function write(context: Context, content: Uint8Array): Promise<void> {
  const out = flag(context, "out");
  if (out) await writeFile(out, content);
  else process.stdout.write(content);
}

/** The NDJSON of a file, or with `-` of stdin. */
const streamOf = (file: string): AsyncIterable<Uint8Array> => (file === "-" ? process.stdin : createReadStream(file));

const OUT = { out: { type: "string" } } as const;

export const files: Record<string, Command> = {
  "artifacts list": {
    usage: "artifacts list RUN [--kind KIND] [--json]",
    summary: "Lists the artifacts of a run",
    flags: { kind: { type: "string" }, json: { type: "boolean" } },
    async run(context) {
      const kind = flag(context, "kind");
      const list = context.parley.artifacts.list(argument(context, 0, "The id of the run"), kind ? { kind } : {});
      const artifacts = await list.all();
      if (context.flags.json) printJson(artifacts);
      else print(table(artifacts.map((it) => [it.id, it.kind, it.subject, it.media_type, String(it.size)])));
    },
  },
  "artifacts get": {
    usage: "artifacts get RUN ARTIFACT [--out FILE]",
    summary: "Writes the content of an artifact to a file, or to stdout",
    flags: OUT,
    async run(context) {
      const [run, artifact] = [argument(context, 0, "The id of the run"), argument(context, 1, "That of the artifact")];
      await write(context, await context.parley.artifacts.bytes(run, artifact));
    },
  },
  "corpora upload": {
    usage: "corpora upload FILE|- (--corpus CORPUS | --name NAME)",
    summary: "Adds the documents of an NDJSON file to a corpus, or to a new one, and waits until they are indexed",
    flags: { corpus: { type: "string" }, name: { type: "string" } },
    async run(context) {
      const { parley, signal } = context;
      const file = argument(context, 0, "The file");
      const [corpus, name] = [flag(context, "corpus"), flag(context, "name")];
      if (!corpus === !name) throw new UsageError("Give --corpus or --name.");
      const id = corpus ?? (await parley.corpora.create({ name: name! })).id;
      const { uploads: _, ...result } = await parley.corpora.upload(id, streamOf(file), {
        signal,
        onProgress: ({ sent, added, invalid, ready }) =>
          say(`${sent} lines sent, ${added} documents added, ${ready} ready, ${invalid} invalid`),
      });
      printJson({ corpus_id: id, ...result });
      return result.invalid > 0 ? 1 : 0;
    },
  },
  "datasets upload": {
    usage: "datasets upload FILE|- --name NAME --workflow WORKFLOW",
    summary: "Makes a closed data set of the items of an NDJSON file",
    flags: { name: { type: "string" }, workflow: { type: "string" } },
    async run(context) {
      const file = argument(context, 0, "The file");
      const [name, workflow] = [flag(context, "name"), flag(context, "workflow")];
      if (!name || !workflow) throw new UsageError("Give --name and --workflow.");
      const onProgress = ({ sent }: { sent: number }) => say(`${sent} items sent`);
      printJson(await context.parley.datasets.upload({ name, workflow }, streamOf(file), { onProgress }));
    },
  },
  export: {
    usage: "export [--out FILE]",
    summary: "Writes everything that the tenant has as NDJSON",
    flags: OUT,
    async run(context) {
      const { parley, signal } = context;
      async function* lines() {
        for await (const line of parley.tenant.export({ signal })) yield `${JSON.stringify(line)}\n`;
      }
      const out = flag(context, "out");
      if (out) await pipeline(Readable.from(lines()), createWriteStream(out));
      else for await (const line of lines()) process.stdout.write(line);
    },
  },
};
