import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Blobs, BlobUpload } from "./r2";

/** The last part of an object's path ends with it, so that an object may be beside a folder of its name. */
const SUFFIX = ".object";

/** Keeps each object as a file below a folder. A file appears whole, by a rename after its bytes are on the disk. */
export class FileBlobs implements Blobs {
  private readonly objects: string;
  private readonly unfinished: string;

  /** @param folder is used by this process only: what an earlier process left unfinished in it is removed */
  constructor(folder: string) {
    this.objects = join(folder, "objects");
    this.unfinished = join(folder, "unfinished");
    rmSync(this.unfinished, { recursive: true, force: true });
    for (const path of [this.objects, this.unfinished]) mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  size(key: string): number | undefined {
    return statSync(this.pathOf(key), { throwIfNoEntry: false })?.size;
  }

  read(key: string, offset = 0, length = Infinity): Uint8Array | undefined {
    const file = openIfPresent(this.pathOf(key));
    if (file === null) return undefined;
    try {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, fstatSync(file).size - offset)));
      for (let at = 0; at < bytes.length;) {
        const count = readSync(file, bytes, at, bytes.length - at, offset + at);
        if (count === 0) throw new Error(`The file of ${key} has become shorter.`);
        at += count;
      }
      return bytes;
    } finally {
      closeSync(file);
    }
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.store(key, [bytes]);
  }

  delete(key: string): void {
    const path = this.pathOf(key);
    rmSync(path, { force: true });
    for (let folder = dirname(path); folder !== this.objects; folder = dirname(folder))
      if (!removeIfEmpty(folder)) return;
  }

  *keys(prefix: string): Iterable<string> {
    const folder = join(this.objects, ...prefix.split("/").slice(0, -1).map(encode));
    const entries = statSync(folder, { throwIfNoEntry: false })
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
      : [];
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name).slice(this.objects.length + 1, -SUFFIX.length);
      const key = path.split(sep).map(decode).join("/");
      if (key.startsWith(prefix)) yield key;
    }
  }

  upload(key: string): BlobUpload {
    const folder = join(this.unfinished, randomUUID());
    mkdirSync(folder, { mode: 0o700 });
    const partOf = (number: number) => join(folder, String(number));
    return {
      add: (number, bytes) => write(partOf(number), [bytes]),
      complete: async (numbers) => {
        const size = await this.store(key, numbers.map(partOf));
        await rm(folder, { recursive: true, force: true });
        return size;
      },
      abort: () => rm(folder, { recursive: true, force: true }),
    };
  }

  /** @param parts bytes, or the path of a file with them @returns bytes of the object */
  private async store(key: string, parts: readonly (Uint8Array | string)[]): Promise<number> {
    const half = join(this.unfinished, `${randomUUID()}.half`);
    const size = await write(half, parts, { sync: true });
    const path = this.pathOf(key);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(half, path);
    // All of them: another object may have made a folder, and not have synced it yet.
    await syncFolders(dirname(path), dirname(this.objects));
    return size;
  }

  private pathOf(key: string): string {
    return pathBelow(this.objects, key);
  }
}

const pathBelow = (objects: string, key: string) => join(objects, ...key.split("/").map(encode)) + SUFFIX;

/** Path of an object below the folder of a `FileBlobs`. */
export const pathOfObject = (folder: string, key: string): string => pathBelow(join(folder, "objects"), key);

/** A part of a key as the name of a file. An empty one and names that a file system treats as its own become ordinary ones. */
const encode = (part: string) => encodeURIComponent(part).replace(/^\.+$/, (dots) => "%2E".repeat(dots.length)) || "%";

const decode = (name: string) => (name === "%" ? "" : decodeURIComponent(name));

function openIfPresent(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Writes a new file. @returns its bytes */
async function write(path: string, parts: readonly (Uint8Array | string)[], { sync = false } = {}): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for (const part of parts) {
      for await (const chunk of typeof part === "string" ? chunksOf(part) : [part]) {
        await file.writeFile(chunk);
        size += chunk.length;
      }
    }
    if (sync) await file.sync();
  } finally {
    await file.close();
  }
  return size;
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  yield* file.createReadStream() as AsyncIterable<Uint8Array>;
}

/** Makes the entries of a folder durable, and those of the folders above it, up to one of them. */
async function syncFolders(from: string, to: string): Promise<void> {
  for (let folder = from; ; folder = dirname(folder)) {
    const handle = await open(folder);
    await handle.sync();
    await handle.close();
    if (folder === to) return;
  }
}
