import type { Target } from "./target";
import { type Departure, type Estimate, LlmError, type ModelCall, type Usage } from "./types";

/**
 * Makes a request when its turn has come at the provider's gate, which is then told what it used. A 429 that says how long to wait
 * closes the gate for everybody.
 */
export async function inTurn<T extends { usage: Usage }>(
  { enter }: Pick<ModelCall<unknown>, "enter">,
  { gate }: Target,
  { tokens }: Estimate,
  request: () => Promise<T>,
): Promise<T> {
  if (!gate || !enter) return request();
  const passage = await enter(gate, tokens);
  let departure: Departure = { closed_for_ms: 0, tokens: null };
  try {
    const answer = await request();
    departure = { closed_for_ms: 0, tokens: tokensOf(answer.usage) };
    return answer;
  } catch (error) {
    if (error instanceof LlmError) departure = departureOf(error);
    throw error;
  } finally {
    passage.leave(departure);
  }
}

function departureOf({ code, options: { retry_after_ms = 0, usage } }: LlmError): Departure {
  const reported = usage ? tokensOf(usage) : 0;
  // What failed tells no usage, and may have used what was expected all the same.
  return { closed_for_ms: code === "provider_rate_limited" ? retry_after_ms : 0, tokens: reported || null };
}

const tokensOf = ({ input_tokens, output_tokens }: Usage): number => input_tokens + output_tokens;
