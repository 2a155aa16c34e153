import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { judgeStored } from "../simulate/stored-laws.mjs";

/**
 * Checks the laws on what is stored in the database of a stopped server.
 * @param {string} state the server's folder
 * @returns {string[]} violations
 */
export function judgeDatabase(state) {
  const files = globSync([join(state, "**/d1/**/*.sqlite"), join(state, "parley.sqlite")]).filter(
    (file) => !file.includes("metadata"),
  );
  return files.flatMap((file) => {
    const d1 = new DatabaseSync(file);
    try {
      return judgeStored(/** @type {any} */ ({ storage: { d1 } }));
    } finally {
      d1.close();
    }
  });
}
