/** A call that cannot be lost: a commit to D1 is tried again, because the model call before it is paid for. */
export async function withRetry<T>(commit: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commit();
    } catch (error) {
      if (attempt === 4) throw error;
      await sleep(50 * 4 ** (attempt - 1));
    }
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * How long a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date.
 * @returns milliseconds; null when it does not say
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
