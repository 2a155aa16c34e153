import { statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { buildWorker } from "../../../../scripts/workerd/build.ts";

it("the bundle and the bindings that a server is started with count as in use: a build of other sources does not remove them", async () => {
  const { entry, options } = await buildWorker();
  for (const place of [dirname(entry), options]) utimesSync(place, 1, 1);
  await buildWorker();
  for (const place of [dirname(entry), options]) expect(Date.now() - statSync(place).mtimeMs).toBeLessThan(60_000);
});
