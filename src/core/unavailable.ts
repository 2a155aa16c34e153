/**
 * The platform (D1, R2, a Durable Object, Workflows) did not answer, or failed for a reason that passes: the same work succeeds later. Whether
 * a write was executed is not known. Any other error that a call throws is a bug.
 */
export class StorageUnavailableError extends Error {
  override name = "StorageUnavailableError";
  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** A call of the platform. @param isBug tells errors that repeating would not mend @throws StorageUnavailableError, or the bug's own error */
export async function onAvailable<T>(
  what: string,
  call: () => Promise<T>,
  isBug: (error: unknown) => boolean,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof StorageUnavailableError || isBug(error) ? error : new StorageUnavailableError(what, error);
  }
}
