import { ask, interactive, say } from "../lib/terminal.ts";
import type { Json } from "../lib/json.ts";
import { ApiError, type Parley } from "../lib/sdk.ts";
import type { RunRequest } from "./request.ts";
import { CommandError, EXIT } from "./command-error.ts";

interface Range {
  low: number;
  high: number;
}

const count = (value: number) => Math.round(value).toLocaleString("en");
const range = ({ low, high }: Range) => (low === high ? count(low) : `${count(low)} to ${count(high)}`);
const dollars = ({ low, high }: Range) => `${low.toFixed(2)} to ${high.toFixed(2)} dollars`;

/**
 * What the experiment will probably use, in lines for people.
 * @param estimate answer of `POST /v1/runs/estimate`; null: there is none
 */
export function estimateLines(estimate: Json | null) {
  if (!estimate) return ["This server gives no estimate of what it will cost."];
  const { calls, input_tokens, output_tokens, cost_usd, unpriced_models = [], notes = [] } = estimate;
  return [
    `Estimate: ${range(calls)} calls, ${range(input_tokens)} tokens in, ${range(output_tokens)} tokens out.`,
    cost_usd ? `It will cost ${dollars(cost_usd)}.` : `The price of ${unpriced_models.join(", ")} is not known.`,
    ...notes,
  ];
}

/** The estimate of a request; null: the server has no such route. */
async function estimateOf(parley: Parley, request: RunRequest): Promise<Json | null> {
  try {
    return await parley.runs.estimate(request);
  } catch (error) {
    if (error instanceof ApiError && [404, 405].includes(error.status)) return null;
    throw error;
  }
}

/**
 * Asks the person at the terminal before something is paid.
 * @param context `yes`: it is confirmed already
 * @throws CommandError when it is not confirmed
 */
export async function confirm(question: string, { yes, signal }: { yes: boolean; signal: AbortSignal }) {
  if (yes) return;
  if (!interactive)
    throw new CommandError("Nothing was paid: without a terminal nobody can confirm. Add --yes to pay.", EXIT.declined);
  if (/^y(es)?$/i.test(await ask(`${question} [y/N] `, signal))) return;
  throw new CommandError("Nothing was started.", EXIT.declined);
}

/** Shows what a live experiment will cost, and asks before it is paid. */
export async function confirmCost(parley: Parley, request: RunRequest, context: { yes: boolean; signal: AbortSignal }) {
  for (const line of estimateLines(await estimateOf(parley, request))) say(`  ${line}`);
  await confirm("  Pay for it?", context);
}
