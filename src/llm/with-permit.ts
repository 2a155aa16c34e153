import type { Target } from "./target";
import { type RequestOutcome, type Estimate, LlmError, type ModelCall, type Usage } from "./types";

/**
 * Makes a request when its turn has come at the provider's gate, which is then told what it used. A 429 that says how long to wait
 * closes the gate for everybody.
 */
export async function withPermit<T extends { usage: Usage }>(
  { acquirePermit }: Pick<ModelCall<unknown>, "acquirePermit">,
  { gate }: Target,
  { tokens }: Estimate,
  request: () => Promise<T>,
): Promise<T> {
  if (!gate || !acquirePermit) return request();
  const passage = await acquirePermit(gate, tokens);
  let departure: RequestOutcome = { closed_for_ms: 0, tokens: null };
  try {
    const answer = await request();
    departure = { closed_for_ms: 0, tokens: tokensOf(answer.usage) };
    return answer;
  } catch (error) {
    if (error instanceof LlmError) departure = outcomeOf(error);
    throw error;
  } finally {
    passage.release(departure);
  }
}

function outcomeOf({ code, options: { retry_after_ms = 0, usage } }: LlmError): RequestOutcome {
  const reported = usage ? tokensOf(usage) : 0;
  // What failed tells no usage, and may have used what was expected all the same.
  return { closed_for_ms: code === "provider_rate_limited" ? retry_after_ms : 0, tokens: reported || null };
}

const tokensOf = ({ input_tokens, output_tokens }: Usage): number => input_tokens + output_tokens;
