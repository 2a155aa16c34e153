/** The image is built of what .dockerignore leaves: the first command of the Dockerfile that needs the sources works on that alone. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const BUILD = ["scripts/serve.ts", "--build"];

it("the sources that .dockerignore leaves build the server of the image", () => {
  const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  expect(dockerfile).toContain(`npm ci && node ${BUILD.join(" ")}\n`);
  expect(dockerfile).toContain("COPY --from=build /build/dist/serve /parley\n");

  const patterns = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  const isIgnored = (file: string) =>
    patterns.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  const sent = files.filter((file) => !isIgnored(file) && existsSync(join(ROOT, file)));
  expect(sent.some((file) => file.startsWith("test/"))).toBe(false);

  const context = mkdtempSync(join(tmpdir(), "parley-image-"));
  try {
    for (const file of sent) cpSync(join(ROOT, file), join(context, file));
    symlinkSync(join(ROOT, "node_modules"), join(context, "node_modules"));
    execFileSync(process.execPath, BUILD, { cwd: context, stdio: "pipe" });
    for (const made of ["parley.mjs", "server.mjs", "operator.mjs", "assets/docs/guide/index.html"])
      expect([made, existsSync(join(context, "dist/serve", made))]).toEqual([made, true]);
  } finally {
    rmSync(context, { recursive: true });
  }
});
