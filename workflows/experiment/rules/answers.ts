/** Most characters of an answer in tables. */
const MAX_LENGTH = 300;

/** Names of ideas, the best first. */
function ideasOf({
  ranking = [],
  ideas = [],
}: {
  ranking?: readonly Named[];
  ideas?: readonly Named[];
}): string | null {
  const names = (ranking.length > 0 ? ranking : ideas).map(({ name }) => name);
  return names.length > 0 ? names.join("; ") : null;
}

interface Named {
  name: string;
}

/** A trial's answer in short: the field `answer` of its output, as text, or the names of its ideas; null: its workflow gives neither. */
export function shortAnswer(output: unknown): string | null {
  const { answer = null, ...ideation } = (output ?? {}) as { answer?: unknown; ranking?: Named[]; ideas?: Named[] };
  if (answer === null) return bounded(ideasOf(ideation));
  return bounded(typeof answer === "string" ? answer : JSON.stringify(answer));
}

function bounded(text: string | null): string | null {
  const plain = text?.trim().replace(/\s+/gu, " ") ?? null;
  return plain !== null && plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
}

/** The confidence that an output states; null: none. */
export function statedConfidence(output: unknown): number | null {
  const { confidence = null } = (output ?? {}) as { confidence?: unknown };
  return typeof confidence === "number" ? confidence : null;
}

/** The parts of a debate's output about its debaters. */
interface Debated {
  parties?: readonly { debater: string; model?: string }[];
  prevailed?: readonly string[];
}

/**
 * How far each model prevailed in a debate: its share of the debaters whose position the answer is. They add up to 1.
 * @returns by model; null where one model wrote all briefs, nobody prevailed, or the output is of no debate
 */
export function prevailingModels(output: unknown): Readonly<Record<string, number>> | null {
  const { parties = [], prevailed = [] } = (output ?? {}) as Debated;
  const models = new Set(parties.flatMap(({ model }) => model ?? []));
  const winners = parties.filter(({ debater }) => prevailed.includes(debater));
  if (models.size < 2 || winners.length === 0) return null;
  return Object.fromEntries(
    [...models].map((model) => [model, winners.filter((one) => one.model === model).length / winners.length]),
  );
}

/** The answers that an output has after each round of a debate; null: none. */
export function answersByRound(output: unknown): readonly (string | null)[] | null {
  const { answers_by_round = null } = (output ?? {}) as { answers_by_round?: readonly (string | null)[] | null };
  return answers_by_round;
}
