import type { Scenario } from "#workflow-kit/scenario";

const choices = [
  { label: "A", text: "Six" },
  { label: "B", text: "Eight" },
];

export const scenarios: readonly Scenario[] = [
  {
    name: "two variants",
    // Every step of a scenario has one answer, so the variants differ in nothing, and each item is answered alike.
    input: { variants: ["one", "two"].map((name) => ({ name, workflow: "plain" })) },
    options: { repetitions: 1, concurrency: 2, resamples: 1000, on_failure: { retries: 5 } },
    dataset: {
      workflow: "plain",
      items: ["spider", "ant", "crab"].map((id) => ({
        id,
        input: { question: `How many legs has a ${id}?`, choices },
        gold: { choice: "B" },
      })),
    },
  },
];
