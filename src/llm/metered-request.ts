import type { Target } from "./target";
import { type RequestOutcome, type RequestEstimate, LlmError, type ModelCall, type Usage } from "./types";

type Account = Pick<ModelCall<unknown>, "acquirePermit" | "reserve">;

interface Metering {
  account: Account;
  target: Target;
  estimate: RequestEstimate;
  /** Tokens that the provider's queue expects. */
  expected_tokens: number;
  spent(usage: Usage): void;
}

/**
 * Makes one request: reserves its estimate, waits for a permit, and reports its usage, that of a failed request too.
 * @throws LlmError of the request; or whatever `reserve` or `acquirePermit` threw
 */
export async function meteredRequest<T extends { usage: Usage }>(
  request: () => Promise<T>,
  { account, target, estimate, expected_tokens, spent }: Metering,
): Promise<T> {
  await account.reserve?.(estimate);
  try {
    const answer = await withPermit(account, target, expected_tokens, request);
    spent(answer.usage);
    return answer;
  } catch (error) {
    if (error instanceof LlmError && error.options.usage) spent(error.options.usage);
    throw error;
  }
}

/** Acquires a permit where the provider has limits, and releases it with the usage. A 429 with a time to wait closes the gate for all callers. */
async function withPermit<T extends { usage: Usage }>(
  { acquirePermit }: Account,
  { gate }: Target,
  tokens: number,
  request: () => Promise<T>,
): Promise<T> {
  if (!gate || !acquirePermit) return request();
  const permit = await acquirePermit(gate, tokens);
  let outcome: RequestOutcome = { closed_for_ms: 0, tokens: null };
  try {
    const answer = await request();
    outcome = { closed_for_ms: 0, tokens: tokensOf(answer.usage) };
    return answer;
  } catch (error) {
    if (error instanceof LlmError) outcome = outcomeOf(error);
    throw error;
  } finally {
    permit.release(outcome);
  }
}

function outcomeOf({ code, options: { retry_after_ms = 0, usage } }: LlmError): RequestOutcome {
  const reported = usage ? tokensOf(usage) : 0;
  // A failed request reports no usage, yet may have used the expected tokens.
  return { closed_for_ms: code === "provider_rate_limited" ? retry_after_ms : 0, tokens: reported || null };
}

const tokensOf = ({ input_tokens, output_tokens }: Usage): number => input_tokens + output_tokens;
