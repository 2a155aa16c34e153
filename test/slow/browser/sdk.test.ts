/** The TypeScript SDK in Chromium, against the served Worker: the suite that Node and workerd run, bundled for a page. */
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../../support/chromium";
import { Served } from "../../support/served";

const SUPPORT = join(import.meta.dirname, "../../support");

/** A script that sets `window.ran` to the outcomes of the suite. */
async function bundle(key: string): Promise<string> {
  const contents = `
    import { runAll } from "vitest";
    import { sdkSuite } from "./sdk-suite";
    sdkSuite({
      baseURL: location.origin,
      fetch: (url, init) => fetch(url, init),
      newKey: async () => ${JSON.stringify(key)},
    });
    window.ran = runAll();`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SUPPORT, loader: "ts" },
    alias: { vitest: join(SUPPORT, "browser-vitest.ts") },
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    define: { "process.env.NODE_ENV": '"test"' },
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

describe.skipIf(!CHROMIUM)("the SDK in Chromium", () => {
  let served: Served;
  let script: string;
  beforeAll(async () => {
    served = await Served.start();
    const wanted = { name: "sdk", mode: "test", scopes: ["admin"] };
    script = await bundle((await served.api("POST", "/v1/keys", served.live_key, wanted)).key);
  }, 300_000);
  afterAll(() => served?.close());

  it("keeps every promise of the suite", async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(`${served.url}/healthz`); // a page of the API's origin
      await page.addScriptTag({ content: script });
      const outcomes = (await page.evaluate("window.ran")) as Record<string, string | null>;
      expect(Object.entries(outcomes).filter(([, wrong]) => wrong !== null)).toEqual([]);
      expect(Object.keys(outcomes).length).toBeGreaterThan(15);
    } finally {
      await browser.close();
    }
  });
});
