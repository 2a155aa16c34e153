import type { Demo } from "./demo.ts";

export const title = "a topic becomes ranked research ideas and proposals";

const TOPIC =
  "novel prompting methods that can better quantify uncertainty or calibrate the confidence of large language models";

export const request: Demo["request"] = (topic = TOPIC) => ({
  workflow: "ideation",
  input: { topic },
  options: {
    preset: "recommended",
    trials: 2,
    ideas: 4,
    proposals: 1,
    tournament_rounds: 4,
    reviews: ["kept_ideas"],
    bank_size: 20,
  },
});

export const subjectName = "Topic";

/** Papers, ideas, their ranking and the proposals. */
export const documents: Demo["documents"] = ({ documents: made }) => [made.report?.text];
