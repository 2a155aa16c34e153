import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { killAll, tree } from "../../scripts/lib/processes.ts";
import { freePorts } from "../../scripts/lib/server.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";
import { buildPlainWorker } from "../../scripts/workerd/build.ts";
import type { Serving } from "../../scripts/workerd/main.ts";

const MAIN = "bare-pipeline-worker.ts";

/** Serves the pipeline of bare-pipeline-worker.ts, in a workerd of its own, while work is done. @param endpoint of its model */
export async function withBarePipeline<T>(
  endpoint: string,
  work: (server: { url: string; pid: number }) => Promise<T>,
): Promise<T> {
  const state = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const config = join(state, "wrangler.json");
  const bindings = {
    vars: { MODEL_URL: endpoint },
    d1_databases: [{ binding: "DB", database_name: "bare", database_id: "bare" }],
    workflows: [{ binding: "RUNS", name: "bare", class_name: "BarePipeline" }],
  };
  const runtime = { compatibility_date: "2026-10-30", compatibility_flags: ["nodejs_compat"] };
  writeFileSync(
    config,
    JSON.stringify({ name: "bare", main: join(import.meta.dirname, MAIN), ...runtime, ...bindings }),
  );
  const [port = 0] = await freePorts(1);
  const variables = join(state, "variables.json");
  writeFileSync(variables, "{}");
  const serving: Serving = { ...(await buildPlainWorker(config, MAIN)), state, port, variables };
  const child = spawn(process.execPath, [join(ROOT, "scripts/workerd/main.ts"), JSON.stringify(serving)]);
  const url = `http://127.0.0.1:${port}`;
  try {
    while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error(`The Worker ${MAIN} did not start.`);
      await sleep(100);
    }
    return await work({ url, pid: child.pid! });
  } finally {
    killAll(tree(child.pid!));
    rmSync(state, { recursive: true, force: true });
  }
}
