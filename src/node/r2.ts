import type { Host } from "./host";

/** Where the bytes of a bucket are kept. */
export interface Blobs {
  get(key: string): Uint8Array | undefined;
  put(key: string, bytes: Uint8Array): void;
  delete(key: string): void;
  /** In any order. */
  keys(): Iterable<string>;
}

type Body = string | ArrayBuffer | ArrayBufferView | ReadableStream | Blob | null;

/** Opens R2's interface to stored bytes: the part of it that Parley uses. */
export function openR2(blobs: Blobs, host: Host): R2Bucket {
  const send = <T>(what: string, writes: boolean, perform: () => T) => host.call({ to: "r2", what, writes }, perform);
  return {
    async put(key: string, value: Body) {
      const bytes = await bytesOf(value);
      return send(`put ${key}`, true, () => {
        blobs.put(key, bytes);
        return { key, size: bytes.length };
      });
    },
    get: (key: string, options?: { range?: { offset?: number; length?: number } }) =>
      send(`get ${key}`, false, () => {
        const bytes = blobs.get(key);
        return bytes ? objectOf(key, bytes, options?.range) : null;
      }),
    head: (key: string) =>
      send(`head ${key}`, false, () => {
        const size = blobs.get(key)?.length;
        return size === undefined ? null : { key, size };
      }),
    delete: (keys: string | string[]) =>
      send(`delete ${keys}`, true, () => {
        for (const key of [keys].flat()) blobs.delete(key);
      }),
    list: ({ prefix = "", limit = 1000, cursor = "" }: { prefix?: string; limit?: number; cursor?: string } = {}) =>
      send(`list ${prefix}`, false, () => {
        const found = [...blobs.keys()].filter((key) => key.startsWith(prefix) && key > cursor).sort();
        const page = found.slice(0, limit);
        const objects = page.map((key) => ({ key, size: blobs.get(key)?.length ?? 0 }));
        const truncated = found.length > limit;
        return { objects, truncated, delimitedPrefixes: [], ...(truncated && { cursor: page.at(-1) }) };
      }),
    createMultipartUpload: (key: string) => send(`begin upload of ${key}`, true, () => upload(key)),
  } as unknown as R2Bucket;

  function upload(key: string) {
    const parts = new Map<number, Uint8Array>();
    return {
      key,
      async uploadPart(partNumber: number, value: Body) {
        const bytes = await bytesOf(value);
        return send(`part ${partNumber} of ${key}`, true, () => {
          parts.set(partNumber, bytes);
          return { partNumber, etag: `part-${partNumber}` };
        });
      },
      complete: (done: readonly { partNumber: number }[]) =>
        send(`complete ${key}`, true, () => {
          const bytes = Buffer.concat(done.map(({ partNumber }) => parts.get(partNumber)!));
          blobs.put(key, bytes);
          return { key, size: bytes.length };
        }),
      abort: () => send(`abort ${key}`, true, () => parts.clear()),
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

function objectOf(key: string, whole: Uint8Array, range?: { offset?: number; length?: number }) {
  const from = range?.offset ?? 0;
  const bytes = range ? whole.subarray(from, from + (range.length ?? whole.length)) : whole;
  return {
    key,
    size: whole.length,
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
  get = (key: string) => this.stored.get(key);
  put = (key: string, bytes: Uint8Array) => void this.stored.set(key, bytes);
  delete = (key: string) => void this.stored.delete(key);
  keys = () => this.stored.keys();
}
