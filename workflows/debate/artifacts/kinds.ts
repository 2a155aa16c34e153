import type { KindDefinition } from "#workflow-kit/workflow";

/** Kinds of artifacts, with their recipients (Silva et al., 3.1 to 3.3). */
export const KINDS = {
  option_ranking: { summary: "The choices with their probabilities before the debate.", send_to: ["debater"] },
  short_answer: {
    summary: "A solver's short answer before positions are assigned, apart from the other solvers.",
    send_to: ["judge", "human"],
  },
  option_preference: {
    summary: "A debater's preferred choices, best first (`free`).",
    send_to: ["debater"],
  },
  framing: { summary: "One debater's proposed answer to an open question (`free`).", send_to: ["debater"] },
  framings: { summary: "Competing theses of an open question, each with its rule.", send_to: ["debater"] },
  position_assignment: { summary: "The position that each debater defends.", send_to: ["debater", "judge", "human"] },
  evidence: { summary: "The run's own evidence, as it was indexed.", send_to: ["retriever"] },
  authorities: { summary: "Excerpts that the Retriever found.", send_to: ["debater", "judge"] },
  embeddings: { summary: "Vectors of texts.", send_to: ["all"] },
  brief: { summary: "A debater's argument in a round.", send_to: ["debater", "judge", "human"] },
  snippet_request: {
    summary: "A debater's queries for the Retriever; it may have none.",
    send_to: ["retriever"],
  },
  misconceptions: {
    summary: "The errors of a brief, with corrections (`misconception_refutation`).",
    send_to: ["debater"],
  },
  pruning: {
    summary: "The authors of the briefs that each debater still reads (`diversity_pruning`, `quality_pruning`).",
    send_to: ["human"],
  },
  cross_question: { summary: "The Cross-Examiner's question to a side.", send_to: ["debater", "judge"] },
  side_answer: { summary: "A side's answer to the Cross-Examiner or to a person.", send_to: ["judge", "human"] },
  review_file: {
    summary:
      "The case as a person reads it before judgment: question, positions, last briefs, evidence (`human_review`).",
    send_to: ["human"],
  },
  human_review: { summary: "A person's note, questions and evidence before judgment.", send_to: ["debater", "judge"] },
  verdict: { summary: "The judge's reasoning, answer, rationale and checklist.", send_to: ["human"] },
  sole_answer: { summary: "One agent's answer without a debate (the baselines).", send_to: ["judge", "human"] },
  vote: { summary: "The votes of the samples (`self_consistency`), or of the solvers.", send_to: ["human"] },
  citation_support: { summary: "Whether authorities support the citations.", send_to: ["judge", "human"] },
  citation_check: { summary: "Every citation, with the results of its checks by code and clerk.", send_to: ["human"] },
  debate_record: {
    summary: "The debate as data: positions, changes, confidence, letters of the parties.",
    send_to: ["human"],
  },
  debate_report: { summary: "The whole case as a document for a person to read.", send_to: ["human"] },
  debate_drawing: {
    summary: "The debate as a drawing: positions over rounds, who rebuts whom, results of the citations.",
    send_to: ["human"],
  },
} as const satisfies Record<string, KindDefinition>;

export type Kind = keyof typeof KINDS;

/** Kinds at which a run may wait for a person's feedback: the outputs of actions. */
export const REVIEW_KINDS = [
  "option_ranking",
  "short_answer",
  "option_preference",
  "framing",
  "framings",
  "brief",
  "snippet_request",
  "misconceptions",
  "cross_question",
  "side_answer",
  "verdict",
  "sole_answer",
  "citation_support",
] as const satisfies readonly Kind[];
