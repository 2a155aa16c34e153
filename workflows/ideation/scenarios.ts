import type { Scenario } from "#workflow-kit/scenario";

const papers = [
  { title: "Calibration of language models", abstract: "Confidence that is asked for in words is poorly calibrated." },
  { title: "Self-consistency", abstract: "Several samples that agree are more often right than one alone." },
];

/** A text for every required field of an object schema. */
const filled = ({ required = [] }: { required?: string[] }, note: string): Record<string, string> =>
  Object.fromEntries(required.map((name) => [name, `The ${name}. ${note}`]));

export const scenarios: readonly Scenario[] = [
  {
    name: "selection",
    input: { topic: "Prompting methods that tell how sure a language model is.", papers },
    options: {
      preset: "baseline",
      ideas: 3,
      trials: 2,
      proposals: 1,
      tournament_rounds: 2,
      reviews: ["kept_ideas", "proposal"],
    },
    // Test mode's stand-in for an encoder needs no calibration.
    live_steps: ["deduplication/embed#calibration.1"],
    additions: ({ properties }, note) => (properties.add ? { add: [filled(properties.add.items, note)] } : {}),
  },
];
