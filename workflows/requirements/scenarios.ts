import type { Scenario } from "#workflow-kit/scenario";

const stakeholders = [
  { name: "Owner", profile: "Lends tools and wants them back in one piece." },
  { name: "Borrower", profile: "Needs a tool for a weekend, and does not want to own it." },
];

export const scenarios: readonly Scenario[] = [
  {
    name: "interview",
    input: { idea: "A library that lends tools to neighbours.", stakeholders },
    options: { human_stakeholder: true, qa_rounds: 1, num_user_stories: 2, reviews: ["requirement_draft"] },
  },
  {
    name: "stories at once",
    input: { idea: "A calendar for a choir.", stakeholders },
    options: { qa_rounds: 0, num_user_stories: 2, reviews: ["user_stories"] },
  },
];
