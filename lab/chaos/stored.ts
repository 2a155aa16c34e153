import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { judgeStored } from "../simulate/stored-laws.ts";

/**
 * Checks the laws on what is stored in the database of a stopped server.
 * @param state the server's folder
 * @returns violations
 */
export function judgeDatabase(state: string): string[] {
  const files = globSync([join(state, "**/d1/**/*.sqlite"), join(state, "parley.sqlite")]).filter(
    (file) => !file.includes("metadata"),
  );
  return files.flatMap((file) => {
    const d1 = new DatabaseSync(file);
    try {
      return judgeStored({ storage: { d1 } });
    } finally {
      d1.close();
    }
  });
}
