// Starts a Worker of a benchmark that is not Parley's, in a workerd of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launchWorkerd } from "../../scripts/lib/hosts.ts";
import { killAll, tree } from "../../scripts/lib/processes.ts";
import { freePorts } from "../../scripts/lib/server.ts";
import { buildPlainWorker } from "../../scripts/workerd/build.ts";

/**
 * Starts a Worker, and waits until `GET /ready` responds.
 * @param main file of this folder
 * @param bindings more of wrangler's configuration
 * @returns `pid`: of the process that holds workerd
 */
export async function startPlainWorker(
  main: string,
  bindings: object = {},
): Promise<{ url: string; pid: number; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const config = join(folder, "wrangler.json");
  const runtime = { compatibility_date: "2026-10-30", compatibility_flags: ["nodejs_compat"] };
  writeFileSync(
    config,
    JSON.stringify({ name: "plain", main: join(import.meta.dirname, main), ...runtime, ...bindings }),
  );
  const [port = 0] = await freePorts(1);
  const child = launchWorkerd({ ...(await buildPlainWorker(config, main)), state: folder, port });
  const pid = child.pid as number;
  const killOnExit = () => void killAll(tree(pid));
  process.once("exit", killOnExit);
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`The Worker ${main} did not start.`);
    await sleep(100);
  }
  const stop = () => {
    process.off("exit", killOnExit);
    killAll(tree(pid));
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid, stop };
}
