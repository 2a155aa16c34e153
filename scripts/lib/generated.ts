import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./wrangler.ts";

/** Of commands that write files which the repository holds. */
export const CHECK = {
  check: { type: "boolean", help: "writes nothing, and fails when a file in the repository differs" },
} as const;

/**
 * Writes generated files; or only checks them, and sets the exit code.
 * @param files their texts by path from the root; null: there is none
 * @param name of the command that writes them
 */
export function writeOrCheck(files: Record<string, string | null>, name: string, { check }: { check: boolean }) {
  const present = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : null);
  const changed = Object.entries(files).filter(([path, text]) => present(join(ROOT, path)) !== text);
  for (const [path, text] of check ? [] : changed) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    if (text === null) rmSync(join(ROOT, path));
    else writeFileSync(join(ROOT, path), text);
  }
  if (!check || changed.length === 0) return;
  const paths = changed.map(([path]) => path).join(", ");
  process.stderr.write(`Not as they are generated: ${paths}. Run \`npm run ${name}\` and commit the result.\n`);
  process.exitCode = 1;
}
