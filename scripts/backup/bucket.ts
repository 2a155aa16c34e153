import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "../lib/typescript.ts";

const { pathOfObject } = await import("../../src/node/file-blobs.ts");

/** What wrangler says of a key without an object. */
const MISSING = /specified key does not exist/i;

export interface Bucket {
  /** writes an object to a file; false: there is no such object */
  download: (key: string, file: string) => Promise<boolean>;
  /** writes files to objects */
  upload: (objects: { key: string; file: string }[]) => Promise<void>;
}

/**
 * The R2 bucket that wrangler reaches.
 * @param run runs wrangler with these arguments
 */
export function bucketOf(
  name: string,
  run: (args: string[]) => Promise<{ code: number | null; stdout: string; stderr: string }>,
): Bucket {
  return {
    async download(key, file) {
      const { code, stdout, stderr } = await run(["r2", "object", "get", `${name}/${key}`, "--file", file]);
      if (code === 0) return true;
      rmSync(file, { force: true });
      if (MISSING.test(stdout + stderr)) return false;
      throw new Error(`The object ${key} could not be read:\n${stdout}${stderr}`);
    },
    async upload(objects) {
      const scratch = mkdtempSync(join(tmpdir(), "parley-restore-"));
      try {
        const list = join(scratch, "objects.json");
        writeFileSync(list, JSON.stringify(objects));
        const { code, stdout, stderr } = await run(["r2", "bulk", "put", name, "--filename", list]);
        if (code !== 0) throw new Error(`Objects could not be written:\n${stdout}${stderr}`);
      } finally {
        rmSync(scratch, { recursive: true });
      }
    },
  };
}

/** The bucket in a folder of `npm run serve`. A running server puts its objects there itself: they are only read here. */
export const folderBucket = (folder: string): Bucket => ({
  async download(key, file) {
    const path = pathOfObject(folder, key);
    if (!existsSync(path)) return false;
    copyFileSync(path, file);
    return true;
  },
  async upload() {
    throw new Error("A backup is not restored into a folder of `npm run serve`: serve from a copy of such a folder.");
  },
});
