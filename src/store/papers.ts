/** How long an answer is valid. Milliseconds. */
const TTL_MS = 30 * 24 * 60 * 60_000;

/** Cached answers of the source of papers, in R2. They belong to no run or tenant; their only user text is the query. */
export class PaperStore {
  constructor(private readonly bucket: R2Bucket) {}

  /** null when nothing is cached or it is too old. */
  async get(key: string): Promise<string | null> {
    const object = await this.bucket.get(await objectKey(key));
    if (!object || object.uploaded.getTime() < Date.now() - TTL_MS) return null;
    return object.text();
  }

  async put(key: string, text: string): Promise<void> {
    await this.bucket.put(await objectKey(key), new TextEncoder().encode(text));
  }
}

async function objectKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return `papers/${Buffer.from(digest).toString("hex")}`;
}
