import type { Target } from "./targets";
import { LlmError, type ModelCall } from "./types";

/** Makes a request when its turn has come at the provider's gate. A 429 that says how long to wait closes the gate for everybody. */
export async function inTurn<T>(
  { enter }: Pick<ModelCall<unknown>, "enter">,
  { gate }: Target,
  request: () => Promise<T>,
): Promise<T> {
  if (!gate || !enter) return request();
  const passage = await enter(gate);
  let closed_for_ms = 0;
  try {
    return await request();
  } catch (error) {
    if (error instanceof LlmError && error.code === "provider_rate_limited")
      closed_for_ms = error.options.retry_after_ms ?? 0;
    throw error;
  } finally {
    passage.leave(closed_for_ms);
  }
}
