import { existsSync } from "node:fs";

/** Path of an installed Chromium, or `CHROMIUM_PATH`; null when there is none, and the tests that need it are skipped. */
export const CHROMIUM =
  [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (path) => path && existsSync(path),
  ) ?? null;

if (!CHROMIUM)
  console.warn(
    "No Chromium was found: the browser tests are skipped. Install one (apt-get install chromium), or set CHROMIUM_PATH.",
  );
