import type { CreateRun, Event, Run } from "../index.ts";
import { askPerson } from "./questions.ts";
import {
  argument,
  type Command,
  type Context,
  flag,
  interactive,
  numberFlag,
  print,
  printJson,
  readJson,
  say,
  table,
  UsageError,
} from "./terminal.ts";

const WAIT = { wait: { type: "boolean" }, json: { type: "boolean" } } as const;

/** A line for an event that a person wants to see; undefined for the others. */
function lineOf({ type, data }: Event): string | undefined {
  switch (type) {
    case "run.stage_started":
      return `… ${data.stage}${data.iteration > 1 ? ` (${data.iteration})` : ""}`;
    case "run.artifact_created":
      return `    ${data.kind}  ${data.artifact_id}`;
    case "run.stalled":
      return `  stalled: ${data.cause}`;
    case "run.failed":
      return `  failed: ${data.error.code}: ${data.error.detail}`;
    case "run.created":
    case "run.started":
    case "run.stage_completed":
      return undefined;
    default:
      return `  ${type.replace("run.", "").replaceAll("_", " ")}`;
  }
}

/**
 * Follows a run to its end. Its progress goes to stderr, or with --json each event to stdout; its questions go to the person at the terminal.
 * @returns 1 unless it completed
 */
export async function follow({ parley, flags, signal }: Context, id: string): Promise<number> {
  const run = await parley.runs.wait(id, {
    signal,
    onEvent(event) {
      if (flags.json) return print(JSON.stringify(event));
      const line = lineOf(event);
      if (line) say(line);
    },
    async onQuestion(interaction, closed) {
      if (interactive() && !flags.json) return askPerson(interaction, closed);
      say(`  A question waits for its answer: ${interaction.callback_url ?? interaction.id}`);
      return undefined;
    },
  });
  if (flags.json) print(JSON.stringify(run));
  else report(run);
  return run.status === "completed" ? 0 : 1;
}

function report({ id, status, error, usage, output }: Run): void {
  const cost = usage.cost_usd === null ? "" : `, $${usage.cost_usd.toFixed(4)}`;
  say(`${id} ${status}: ${usage.llm_calls} model calls${cost}`);
  if (error) say(`${error.code}: ${error.detail}`);
  if (output) printJson(output);
}

/** Prints a run that was started, or follows it with --wait. */
async function started(context: Context, run: Run): Promise<number | void> {
  if (context.flags.wait) {
    say(run.id);
    return follow(context, run.id);
  }
  if (context.flags.json) printJson(run);
  else print(run.id);
}

/** `--metadata name=value`, any number of times. */
function metadataOf({ flags }: Context): Record<string, string> | undefined {
  const pairs = flags.metadata as string[] | undefined;
  return pairs && Object.fromEntries(pairs.map(pairOf));
}

/** @throws UsageError */
function pairOf(text: string): [name: string, value: string] {
  const [name, value] = text.split(/=(.*)/s, 2);
  if (!name || value === undefined) throw new UsageError(`--metadata ${text}: write name=value.`);
  return [name, value];
}

export const runs: Record<string, Command> = {
  "runs create": {
    usage:
      "runs create WORKFLOW --input JSON|FILE|- [--options JSON|FILE] [--limits JSON|FILE] [--test JSON|FILE] [--model MODEL] " +
      "[--metadata NAME=VALUE]… [--idempotency-key KEY] [--wait] [--json]",
    summary: "Starts a run; with --wait, follows it, and exits with 1 unless it completes",
    flags: {
      ...WAIT,
      input: { type: "string" },
      options: { type: "string" },
      limits: { type: "string" },
      test: { type: "string" },
      model: { type: "string" },
      metadata: { type: "string", multiple: true },
      "idempotency-key": { type: "string" },
    },
    async run(context) {
      const workflow = argument(context, 0, "The workflow");
      const model = flag(context, "model");
      const json = async (name: string) => {
        const given = flag(context, name);
        return given ? { [name]: await readJson(given, `--${name}`) } : {};
      };
      if (!flag(context, "input")) throw new UsageError("--input is missing.");
      const body = {
        workflow,
        ...(await json("input")),
        ...(await json("options")),
        ...(await json("limits")),
        ...(await json("test")),
        ...(model && { models: { default: model } }),
        metadata: metadataOf(context),
      } as unknown as CreateRun;
      const idempotencyKey = flag(context, "idempotency-key");
      return started(context, await context.parley.runs.create(body as never, { idempotencyKey }));
    },
  },
  "runs list": {
    usage: "runs list [--workflow NAME] [--status STATUS] [--limit N] [--json]",
    summary: "Lists the newest runs",
    flags: {
      workflow: { type: "string" },
      status: { type: "string" },
      limit: { type: "string" },
      json: { type: "boolean" },
    },
    async run(context) {
      const status = flag(context, "status") as Run["status"] | undefined;
      const query = { workflow: flag(context, "workflow"), status, limit: numberFlag(context, "limit", 20) };
      const { data } = await context.parley.runs.list(query).page();
      if (context.flags.json) printJson(data);
      else print(table(data.map((run) => [run.id, run.workflow, run.status, run.created_at])));
    },
  },
  "runs get": {
    usage: "runs get RUN",
    summary: "Prints a run as JSON",
    run: async (context) => printJson(await context.parley.runs.get(argument(context, 0, "The id of the run"))),
  },
  "runs watch": {
    usage: "runs watch RUN [--json]",
    summary: "Follows a run, from its first event to its end; exits with 1 unless it completes",
    flags: { json: { type: "boolean" } },
    run: (context) => follow(context, argument(context, 0, "The id of the run")),
  },
  "runs retry": {
    usage: "runs retry RUN [--from-stage STAGE] [--wait] [--json]",
    summary: "Continues a run that failed or was canceled",
    flags: { ...WAIT, "from-stage": { type: "string" } },
    async run(context) {
      const stage = flag(context, "from-stage");
      const id = argument(context, 0, "The id of the run");
      return started(context, await context.parley.runs.retry(id, { ...(stage && { from_stage: stage }) }));
    },
  },
  "runs cancel": {
    usage: "runs cancel RUN",
    summary: "Cancels a run",
    run: async (context) => printJson(await context.parley.runs.cancel(argument(context, 0, "The id of the run"))),
  },
};
