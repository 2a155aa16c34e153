import { ask, interactive, say } from "../lib/terminal.mjs";
import { CommandError, EXIT } from "./command-error.mjs";

const count = (value) => Math.round(value).toLocaleString("en");
const range = ({ low, high }) => (low === high ? count(low) : `${count(low)} to ${count(high)}`);
const dollars = ({ low, high }) => `${low.toFixed(2)} to ${high.toFixed(2)} dollars`;

/**
 * What the experiment will probably use, in lines for people.
 * @param {object | null} estimate answer of `POST /v1/runs/estimate`; null: there is none
 */
export function estimateLines(estimate) {
  if (!estimate) return ["This server gives no estimate of what it will cost."];
  const { calls, input_tokens, output_tokens, cost_usd, unpriced_models = [], notes = [] } = estimate;
  return [
    `Estimate: ${range(calls)} calls, ${range(input_tokens)} tokens in, ${range(output_tokens)} tokens out.`,
    cost_usd ? `It will cost ${dollars(cost_usd)}.` : `The price of ${unpriced_models.join(", ")} is not known.`,
    ...notes,
  ];
}

/** The estimate of a request; null: the server has no such route. */
async function estimateOf(parley, request) {
  try {
    return await parley.runs.estimate(request);
  } catch (error) {
    if (error.status === 404 || error.status === 405) return null;
    throw error;
  }
}

/**
 * Asks the person at the terminal before something is paid.
 * @param {string} question
 * @param {{yes: boolean, signal: AbortSignal}} context `yes`: it is confirmed already
 * @throws CommandError when it is not confirmed
 */
export async function confirm(question, { yes, signal }) {
  if (yes) return;
  if (!interactive)
    throw new CommandError("Nothing was paid: without a terminal nobody can confirm. Add --yes to pay.", EXIT.declined);
  if (/^y(es)?$/i.test(await ask(`${question} [y/N] `, signal))) return;
  throw new CommandError("Nothing was started.", EXIT.declined);
}

/** Shows what a live experiment will cost, and asks before it is paid. */
export async function confirmCost(parley, request, context) {
  for (const line of estimateLines(await estimateOf(parley, request))) say(`  ${line}`);
  await confirm("  Pay for it?", context);
}
