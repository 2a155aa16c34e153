/** Stands in for vitest where a suite is bundled for a browser: collects tests, and runs them when the page asks. */
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const { expect } = chai;

const tests: { name: string; runToEnd: () => Promise<void> }[] = [];
export const it = (name: string, runToEnd: () => Promise<void>): void => void tests.push({ name, runToEnd });

/** Runs all tests, one after the other. @returns what was wrong by the names of the tests; null: nothing */
export async function runAll(): Promise<Record<string, string | null>> {
  const outcomes: Record<string, string | null> = {};
  for (const { name, runToEnd } of tests)
    outcomes[name] = await runToEnd().then(
      () => null,
      (error: unknown) => String(error instanceof Error ? error.stack : error),
    );
  return outcomes;
}
