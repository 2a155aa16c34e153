import type { Host } from "./host";

/** Where the bytes of a bucket are kept. An object that is not there has no size and no bytes. */
export interface Blobs {
  /** Bytes. */
  size(key: string): number | undefined;
  /** All bytes, or a range of them: it ends where the object ends. */
  read(key: string, offset?: number, length?: number): Uint8Array | undefined;
  put(key: string, bytes: Uint8Array): void | Promise<void>;
  delete(key: string): void;
  /** In any order. */
  keys(prefix: string): Iterable<string>;
  upload(key: string): BlobUpload;
}

/** An object that arrives in parts, and appears when it is complete. */
export interface BlobUpload {
  add(number: number, bytes: Uint8Array): unknown;
  /** @param numbers of the parts, in their order @returns bytes of the object */
  complete(numbers: readonly number[]): number | Promise<number>;
  abort(): unknown;
}

type Body = string | ArrayBuffer | ArrayBufferView | ReadableStream | Blob | null;

/** Opens R2's interface to stored bytes: the part of it that Parley uses. */
export function openR2(blobs: Blobs, host: Host): R2Bucket {
  const send = <T>(what: string, writes: boolean, perform: () => T | Promise<T>) =>
    host.call({ to: "r2", what, writes }, perform);
  return {
    async put(key: string, value: Body) {
      const bytes = await bytesOf(value);
      return send(`put ${key}`, true, async () => {
        await blobs.put(key, bytes);
        return { key, size: bytes.length };
      });
    },
    get: (key: string, options?: { range?: { offset?: number; length?: number } }) =>
      send(`get ${key}`, false, () => {
        const size = blobs.size(key);
        const bytes = blobs.read(key, options?.range?.offset, options?.range?.length);
        return size === undefined || !bytes ? null : objectOf(key, size, bytes);
      }),
    head: (key: string) =>
      send(`head ${key}`, false, () => {
        const size = blobs.size(key);
        return size === undefined ? null : { key, size };
      }),
    delete: (keys: string | string[]) =>
      send(`delete ${keys}`, true, () => {
        for (const key of [keys].flat()) blobs.delete(key);
      }),
    list: ({ prefix = "", limit = 1000, cursor = "" }: { prefix?: string; limit?: number; cursor?: string } = {}) =>
      send(`list ${prefix}`, false, () => {
        const found = [...blobs.keys(prefix)].filter((key) => key > cursor).sort();
        const page = found.slice(0, limit);
        const objects = page.map((key) => ({ key, size: blobs.size(key) ?? 0 }));
        const truncated = found.length > limit;
        return { objects, truncated, delimitedPrefixes: [], ...(truncated && { cursor: page.at(-1) }) };
      }),
    createMultipartUpload: (key: string) => send(`begin upload of ${key}`, true, () => handle(key, blobs.upload(key))),
  } as unknown as R2Bucket;

  function handle(key: string, upload: BlobUpload) {
    return {
      key,
      async uploadPart(partNumber: number, value: Body) {
        const bytes = await bytesOf(value);
        return send(`part ${partNumber} of ${key}`, true, async () => {
          await upload.add(partNumber, bytes);
          return { partNumber, etag: `part-${partNumber}` };
        });
      },
      complete: (parts: readonly { partNumber: number }[]) =>
        send(`complete ${key}`, true, async () => {
          const size = await upload.complete(parts.map(({ partNumber }) => partNumber));
          return { key, size };
        }),
      abort: () => send(`abort ${key}`, true, async () => void (await upload.abort())),
    };
  }
}

async function bytesOf(value: Body): Promise<Uint8Array> {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (ArrayBuffer.isView(value))
    return Uint8Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return new Uint8Array(await new Response(value as BodyInit | null).arrayBuffer());
}

function objectOf(key: string, size: number, bytes: Uint8Array) {
  return {
    key,
    size,
    arrayBuffer: async () => Uint8Array.from(bytes).buffer,
    text: async () => new TextDecoder().decode(bytes),
    json: async () => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    get body() {
      return new Response(Uint8Array.from(bytes)).body;
    },
  };
}

/** Keeps bytes in memory. */
export class MemoryBlobs implements Blobs {
  private readonly stored = new Map<string, Uint8Array>();
  size = (key: string) => this.stored.get(key)?.length;
  read = (key: string, offset = 0, length = Infinity) => this.stored.get(key)?.subarray(offset, offset + length);
  put = (key: string, bytes: Uint8Array) => void this.stored.set(key, bytes);
  delete = (key: string) => void this.stored.delete(key);
  keys = (prefix: string) => [...this.stored.keys()].filter((key) => key.startsWith(prefix));

  upload(key: string): BlobUpload {
    const parts = new Map<number, Uint8Array>();
    return {
      add: (number, bytes) => parts.set(number, bytes),
      complete: (numbers) => {
        const bytes = Buffer.concat(numbers.map((number) => parts.get(number)!));
        this.put(key, bytes);
        return bytes.length;
      },
      abort: () => parts.clear(),
    };
  }
}
