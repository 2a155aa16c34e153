/** Retries an async function, 4 attempts in total, with exponential backoff: 50, 200 and 800 ms. For commits, whose model call is already paid for. */
export async function withRetry<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === 4) throw error;
      await sleep(50 * 4 ** (attempt - 1));
    }
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads the wait that a server requests: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date.
 * @returns milliseconds; null when neither header is valid
 */
export function retryAfterMs(headers: Headers | undefined): number | null {
  const ms = Number(headers?.get("retry-after-ms") ?? NaN);
  if (ms >= 0) return Math.ceil(ms);
  const header = headers?.get("retry-after") ?? "";
  const seconds = header.trim() === "" ? NaN : Number(header);
  if (seconds >= 0) return Math.ceil(seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** A promise that rejects unless it settles in time. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
