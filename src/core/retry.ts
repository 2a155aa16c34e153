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
