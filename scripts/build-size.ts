import { execFileSync } from "node:child_process";
import { command } from "./lib/command.ts";

command({
  name: "verify:build",
  what: "Builds the Worker as for a deployment, and fails when its gzipped size is over the limit.",
});

/** Notices a large package that came in by mistake. Cloudflare itself takes 64 MiB, not compressed. */
const LIMIT_KIB = 3 * 1024;

const output = execFileSync("wrangler", ["deploy", "--dry-run", "--outdir", "dist/worker"], {
  encoding: "utf8",
  env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1", NO_COLOR: "1" },
});
const match = /Total Upload: ([\d.]+) KiB \/ gzip: ([\d.]+) KiB/.exec(output);
if (!match) throw new Error(`wrangler did not say how large the Worker is:\n${output}`);
const gzipped = Number(match[2]);
console.log(`The Worker has ${gzipped} KiB gzipped (limit ${LIMIT_KIB} KiB).`);
if (gzipped > LIMIT_KIB) process.exit(1);
