import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

/** What moves a process's clock. Milliseconds. */
const clockMovedBy = (ms: number) =>
  `data:text/javascript,${encodeURIComponent(`
    const now = Date.now;
    globalThis.Date = class extends Date {
      constructor(...when) { super(...(when.length > 0 ? when : [now() + ${ms}])); }
      static now() { return now() + ${ms}; }
    };
  `)}`;

// In a process of its own: schemas that another test file made before the package of the document extended zod cannot be documented.
it("openapi.json is the same document on another day", async () => {
  const aYear = clockMovedBy(366 * 86_400_000);
  const year = await run(process.execPath, ["--import", aYear, "-p", "new Date().getUTCFullYear()"]);
  expect(Number(year.stdout)).toBeGreaterThan(new Date().getUTCFullYear());

  await run(process.execPath, ["--import", aYear, "scripts/openapi.ts", "--check"]);
});
