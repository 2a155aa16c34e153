import { spawn } from "node:child_process";
import { join } from "node:path";

/** The root folder of the repository. */
export const ROOT = join(import.meta.dirname, "../..");

/** Tests set PARLEY_WRANGLER to a fake wrangler. */
const WRANGLER = process.env.PARLEY_WRANGLER ?? join(ROOT, "node_modules/wrangler/bin/wrangler.js");

/** No banner, no telemetry, no log files, and a compile cache for a quick second start. */
const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  NODE_COMPILE_CACHE: join(ROOT, ".wrangler/node-cache"),
};

export interface WranglerOptions {
  env?: Record<string, string>;
  /** is given on stdin */
  input?: string;
}

/** Runs wrangler until it ends. */
export async function tryWrangler(
  args: string[],
  { env, input }: WranglerOptions = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET, CI: "1", ...env },
  });
  let stdout = "";
  let stderr = "";
  // With an encoding, no character is split between chunks.
  child.stdout.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (stderr += chunk));
  child.stdin.end(input ?? "");
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { code, stdout, stderr };
}

/**
 * Runs wrangler and returns its stdout.
 * @throws Error with all its output when it fails
 */
export async function wrangler(args: string[], options?: WranglerOptions) {
  const { code, stdout, stderr } = await tryWrangler(args, options);
  if (code === 0) return stdout;
  throw new Error(
    `wrangler ${args.join(" ")} ended with ${code}:\n${[stdout, stderr]
      .map((text) => text.trim())
      .filter(Boolean)
      .join("\n")}`,
  );
}
