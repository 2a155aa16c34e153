/** Evaluation data beside the repository, in `../shared`. A clone without it skips the tests that need it. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const SHARED = join(import.meta.dirname, "../../../shared");

/** Absolute path of a file or folder in `../shared`; null where it is absent. */
export function sharedPath(...parts: string[]): string | null {
  const path = join(SHARED, ...parts);
  return existsSync(path) ? path : null;
}
