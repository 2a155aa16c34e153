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
