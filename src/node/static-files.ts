import { createHash } from "node:crypto";
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The binding ASSETS: serves the files of a folder, which do not change while the process runs. */
export class StaticFiles {
  private readonly tags = new Map<string, Promise<string>>();

  constructor(private readonly folder: string) {}

  async fetch(request: Request): Promise<Response> {
    const path = this.pathOf(new URL(request.url).pathname);
    const found = path === null ? null : await stat(path).catch(() => null);
    if (!path || !found?.isFile()) return new Response("Not found", { status: 404 });
    const headers = {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "cache-control": "public, max-age=0, must-revalidate",
      etag: await this.tagOf(path),
    };
    if (request.headers.get("if-none-match") === headers.etag) return new Response(null, { status: 304, headers });
    const body = request.method === "HEAD" ? null : contentOf(path);
    return new Response(body, { headers: { ...headers, "content-length": String(found.size) } });
  }

  /** Null for a path that leads out of the folder. */
  private pathOf(pathname: string): string | null {
    try {
      const path = normalize(join(this.folder, decodeURIComponent(pathname)));
      return path.startsWith(join(this.folder, "/")) && !path.includes("\0") ? path : null;
    } catch {
      return null;
    }
  }

  private tagOf(path: string): Promise<string> {
    const known = this.tags.get(path) ?? readFile(path).then((bytes) => `"${hashOf(bytes)}"`);
    this.tags.set(path, known);
    return known;
  }
}

/** Bytes that are read at once. */
const CHUNK = 64 * 1024;

/** The content of a file, which is opened when it is first read: a body that nobody reads leaves no open file behind. */
function contentOf(path: string): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      file ??= await open(path);
      try {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK));
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      } catch (error) {
        await file.close();
        throw error;
      }
      await file.close();
      controller.close();
    },
    cancel: () => file?.close(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
