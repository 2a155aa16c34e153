import type { Scenario } from "#workflow-kit/scenario";

export const scenarios: readonly Scenario[] = [
  {
    name: "clarification",
    input: { requirement: "Plan a weekend in Lisbon for two people who like science museums, and say what it costs." },
    options: { clarification: "ask", reviews: ["task_plan"] },
  },
];
