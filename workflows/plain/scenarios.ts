import type { Scenario } from "#workflow-kit/scenario";

export const scenarios: readonly Scenario[] = [
  {
    name: "one call",
    input: {
      question: "How many legs has a spider?",
      choices: [
        { label: "A", text: "Six" },
        { label: "B", text: "Eight" },
      ],
    },
    options: { reviews: ["answer"] },
  },
];
