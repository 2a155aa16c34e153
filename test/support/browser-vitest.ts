/** Stands in for vitest where a suite is bundled for a browser: collects tests, and plays them when the page asks. */
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const { expect } = chai;

const tests: { name: string; play: () => Promise<void> }[] = [];
export const it = (name: string, play: () => Promise<void>): void => void tests.push({ name, play });

/** Plays all tests, one after the other. @returns what was wrong by the names of the tests; null: nothing */
export async function playAll(): Promise<Record<string, string | null>> {
  const outcomes: Record<string, string | null> = {};
  for (const { name, play } of tests)
    outcomes[name] = await play().then(
      () => null,
      (error: unknown) => String(error instanceof Error ? error.stack : error),
    );
  return outcomes;
}
