import { fork } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { simulate, Task } from "./simulate.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";
import { bundle } from "./bundle.ts";

type Simulated = Awaited<ReturnType<typeof simulate>>;

/** What a process answers: what became of a seed, or why it could not be simulated. */
export interface Reply {
  seed: number;
  result?: Simulated;
  error?: string;
}

export type Result = Omit<Simulated, "trace"> & { seed: number };

interface Options extends Pick<Task, "runs"> {
  seeds: readonly number[];
  processes: number;
  sabotages: readonly string[];
  overrides?: Task["overrides"];
  /** writes the schedule of each seed to dist/simulate/seed-<seed>.txt */
  traced?: boolean;
  /** stops at the first violation of this kind */
  stopAt?: RegExp | null;
  onResult?: (result: Result) => void;
}

/** Simulates seeds in several processes. */
export async function runSeeds(options: Options) {
  const { seeds, runs, processes, sabotages, overrides = {}, traced = false, stopAt, onResult } = options;
  const file = await bundle({ sabotages, traced });
  const queue = [...seeds];
  const results: Result[] = [];
  const begun = Date.now();
  const work = () =>
    new Promise((resolve, reject) => {
      const child = fork(file, {
        execArgv: ["--no-warnings", ...(traced ? ["--enable-source-maps"] : [])],
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      const next = () => {
        const seed = queue.shift();
        if (seed === undefined) return child.disconnect();
        child.send({ root: ROOT, seed, runs, traced, overrides } satisfies Task & { root: string });
      };
      child.on("message", ({ seed, result, error }: Reply) => {
        if (!result) {
          child.kill();
          return reject(new Error(`Seed ${seed}: ${error}`));
        }
        const { trace, ...rest } = result;
        if (trace) writeFileSync(join(ROOT, `dist/simulate/seed-${seed}.txt`), `${trace.join("\n")}\n`);
        results.push({ seed, ...rest });
        onResult?.({ seed, ...rest });
        if (stopAt && rest.violations.some((violation) => stopAt.test(violation))) queue.length = 0;
        next();
      });
      child.on("exit", (code) =>
        code ? reject(new Error(`A simulating process ended with ${code}.`)) : resolve(undefined),
      );
      next();
    });
  try {
    await Promise.all(Array.from({ length: Math.min(processes, seeds.length) }, work));
  } finally {
    rmSync(file, { force: true });
  }
  const seconds = (Date.now() - begun) / 1000;
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  const ran = sum((result) => result.runs);
  const broken = results.filter(({ violations }) => violations.length);
  return {
    results,
    violations: sum(({ violations }) => violations.length),
    kinds: kindsOf(results),
    summary: `${results.length} seeds, ${ran} runs in ${seconds.toFixed(1)} s (${((ran / seconds) * 60).toFixed(0)} a minute), ${sum((result) => result.events)} events; ${broken.length} seeds broke a law${broken.length ? `: ${broken.map(({ seed }) => seed).join(", ")}` : ""}`,
  };
}

/** The kinds of violations, with how many seeds show them and the first of these. */
function kindsOf(results: Result[]) {
  const kindOf = (violation: string) =>
    violation
      .replace(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, "<id>")
      .replace(/\d+(\.\d+)?/g, "0")
      .replace(/(kills at|answered in vain at).*/s, "$1 …")
      .slice(0, 160);
  const kinds = Map.groupBy(
    results.flatMap(({ seed, violations }) => [...new Set(violations.map(kindOf))].map((kind) => ({ seed, kind }))),
    ({ kind }) => kind,
  );
  return [...kinds]
    .map(([kind, seen]) => ({ kind, seeds: seen.map(({ seed }) => seed).sort((a, b) => a - b) }))
    .sort((a, b) => b.seeds.length - a.seeds.length);
}
