import { setTimeout as sleep } from "node:timers/promises";
import type { Parley, Run } from "../lib/sdk.ts";
import { dim, say } from "../lib/terminal.ts";

const ENDED = ["completed", "failed", "canceled"];
const POLL_MS = 500;
/** Between two lines where the output is not a terminal. Milliseconds. */
const QUIET_MS = 15_000;
const WIDTH = 24;
/** How many answers in a row may be missing, while a server restarts or the network is away. */
const MAX_MISSED = 60;

/**
 * The run, asked for again while the server does not answer.
 * @throws Error of a refusal at once
 */
async function runOf(parley: Pick<Parley, "runs">, id: string, signal?: AbortSignal): Promise<Run> {
  for (let missed = 0; ; missed++) {
    try {
      return await parley.runs.get(id);
    } catch (error) {
      const { status } = error as { status?: number };
      const isRefusal = status !== undefined && status < 500 && status !== 429;
      if (signal?.aborted || isRefusal || missed === MAX_MISSED) throw error;
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}

/** Seconds in words. */
export function duration(seconds: number) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/**
 * The state of an experiment in one line: bar, trials, cost so far, time left.
 * @param run as `GET /v1/runs/{id}` answers
 * @param pace trials done since a time ago; null: not known yet
 */
export function progressLine(
  { children, stage, status, usage }: Pick<Run, "children" | "stage" | "status" | "usage">,
  pace: { seconds: number; done: number } | null,
) {
  if (status === "queued") return "waiting for a free place in the queue";
  if (!children) return `${stage ?? "starting"} …`;
  const { total, completed, failed, canceled } = children;
  const done = completed + failed + canceled;
  const full = Math.floor((WIDTH * done) / total);
  const parts = [`[${"#".repeat(full)}${".".repeat(WIDTH - full)}] ${done} of ${total} trials`];
  if (failed) parts.push(`${failed} failed`);
  if (children.input_required) parts.push(`${children.input_required} wait for a person`);
  parts.push(
    usage.cost_usd === null
      ? `${usage.output_tokens.toLocaleString("en")} tokens written`
      : `$${usage.cost_usd.toFixed(2)} so far`,
  );
  if (done < total && pace && pace.done > 0)
    parts.push(`about ${duration((pace.seconds / pace.done) * (total - done))} left`);
  if (done === total && !ENDED.includes(status)) parts.push(stage ?? status);
  if (status === "paused") parts.push("paused");
  return parts.join(", ");
}

/**
 * Follows an experiment until it has ended, and prints its progress.
 * @returns the run
 */
export async function follow(parley: Pick<Parley, "runs">, id: string, signal?: AbortSignal) {
  const startedAt = Date.now();
  const isTerminal = Boolean(process.stdout.isTTY);
  let atStart: number | null = null;
  let printed = { line: "", at: 0 };
  for (;;) {
    const run = await runOf(parley, id, signal);
    const ended = ENDED.includes(run.status);
    const done = run.children ? run.children.total - run.children.queued - run.children.running : 0;
    atStart ??= done;
    const line = progressLine(run, { seconds: (Date.now() - startedAt) / 1000, done: done - atStart });
    if (isTerminal) process.stdout.write(`\r\u001b[K  ${line}`);
    else if (line !== printed.line && (ended || Date.now() - printed.at > QUIET_MS)) {
      say(`  ${dim(line)}`);
      printed = { line, at: Date.now() };
    }
    if (ended) {
      if (isTerminal) say();
      return run;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}
