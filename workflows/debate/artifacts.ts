import { z } from "zod";
import type { KindDefinition } from "#workflow-kit/workflow";

/** Contents of the artifacts. Model outputs follow strict JSON schemas: every property is required, and unknown keys are dropped. */

const probability = z.number().min(0).max(1);

/** What the judge checks in the winning argument (Silva et al., 3.2: the 5-item checklist). */
export const CHECKLIST = [
  "doctrine_named",
  "on_point_authority",
  "accurate_use",
  "logical_application",
  "opponent_addressed",
] as const;

export const citationSchema = z.object({
  authority_id: z.string().describe("Id of the authority, as it was given: S1, S2, …"),
  quote: z.string().describe("Words of the authority, verbatim"),
  proposition: z.string().describe("What the authority is cited for"),
});

const citationsSchema = z.array(citationSchema).max(12);

export const rankingSchema = z.object({
  options: z.array(z.object({ label: z.string(), probability })).min(1),
});

export const preferenceSchema = z.object({
  labels: z.array(z.string()).min(1).describe("Labels of the options, the best first"),
});

const framingSchema = z.object({ thesis: z.string(), governing_rule: z.string() });
export const framingsSchema = z.object({ framings: z.array(framingSchema).min(1).max(6) });
export const ownFramingSchema = framingSchema;

export const briefSchema = z.object({
  claims: z.array(z.string()).min(1).max(8).describe("The first is the main premise"),
  rebuts: z.array(z.object({ point: z.string(), answer: z.string() })).max(6),
  application: z.string().describe("The law applied to the facts"),
  citations: citationsSchema,
  concedes: z.array(z.string()).max(6),
  switches_to: z.string().nullable(),
  confidence: probability.describe("Honest probability that the position is right"),
});

export const requestSchema = z.object({ queries: z.array(z.string()).max(3) });

export const misconceptionsSchema = z.object({
  misconceptions: z.array(z.object({ claim: z.string(), correction: z.string() })).max(6),
});

export const crossQuestionSchema = z.object({ question: z.string() });

export const sideAnswerSchema = z.object({
  answer: z.string(),
  citations: citationsSchema,
  concedes: z.array(z.string()).max(6),
});

const pointSchema = z.object({ met: z.boolean(), note: z.string() });
const checklistSchema = z.object(
  Object.fromEntries(CHECKLIST.map((point) => [point, pointSchema])) as Record<
    (typeof CHECKLIST)[number],
    typeof pointSchema
  >,
);
const supportsSchema = z.array(
  z.object({ citation: z.string().describe("C1, C2, …"), supported: z.boolean(), note: z.string() }),
);
const fromMemorySchema = z
  .array(z.string())
  .max(20)
  .describe("Law that the answer names and that is not among the authorities");
const rationaleSchema = z.array(z.string()).length(3);

export const verdictSchema = z.object({
  answer: z.string(),
  winner: z.string().nullable().describe("Letter of the party that argued best"),
  law_from_memory: fromMemorySchema,
  rationale: rationaleSchema,
  checklist: checklistSchema,
  citation_checks: supportsSchema,
  confidence: probability,
});

export const aloneSchema = z.object({
  answer: z.string(),
  law_from_memory: fromMemorySchema,
  rationale: rationaleSchema,
  checklist: checklistSchema,
  citations: citationsSchema,
  confidence: probability,
});

export const supportSchema = z.object({ citation_checks: supportsSchema });

export type Citation = z.infer<typeof citationSchema>;
export type Ranking = z.infer<typeof rankingSchema>;
export type Preference = z.infer<typeof preferenceSchema>;
export type Framing = z.infer<typeof framingSchema>;
export type Framings = z.infer<typeof framingsSchema>;
export type Brief = z.infer<typeof briefSchema>;
export type SnippetRequest = z.infer<typeof requestSchema>;
export type Misconceptions = z.infer<typeof misconceptionsSchema>;
export type CrossQuestion = z.infer<typeof crossQuestionSchema>;
export type SideAnswer = z.infer<typeof sideAnswerSchema>;
export type Checklist = z.infer<typeof checklistSchema>;
export type Supports = z.infer<typeof supportsSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
export type Alone = z.infer<typeof aloneSchema>;
export type Support = z.infer<typeof supportSchema>;

/** A piece of evidence as it may be cited: a verbatim slice of a document. */
export interface Authority {
  id: string;
  /** `S1`, `S2`, …: its name in prompts. Models miscopy long ids, and a miscopied id would count as invented. */
  label: string;
  source: string;
  /** The document's title, such as an article's number. */
  title: string | null;
  /** Headings above the passage in its document. */
  heading: string | null;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  excerpt: string;
  /** 0: found before the debate; else the round of the request. */
  round: number;
  /** The debater that requested it, or `human`; null: found for the question. */
  requested_by: string | null;
}

/** An answer that a debater can defend. */
export interface Position {
  /** Label of the choice; for an open question `P1`, `P2`, … in random order. */
  label: string;
  /** The choice's text, or the thesis. */
  statement: string;
  /** The governing rule of a thesis. */
  rule: string | null;
  /** Estimated before the debate, 0 to 1; null: not estimated. */
  probability: number | null;
}

/** Which debater defends which position. */
export interface PositionAssignment {
  mode: "ranked" | "all_options" | "free" | "given";
  positions: (Position & { debater: string })[];
}

/** A citation with the results of its checks: by code first, then by the judge. */
export interface CheckedCitation extends Citation {
  cited_by: string;
  /** The round of the brief; null: an answer to a question before judgment. */
  round: number | null;
  /** `shown`: the debater was shown this authority. `not_shown`: the run has it, the debater had not seen it. */
  authority: "shown" | "not_shown" | "unknown";
  quote_found: boolean;
  /** The authority is from another jurisdiction than the question. */
  foreign: boolean;
  supported: boolean | null;
  note: string | null;
}

export interface CitationCheck {
  citations: CheckedCitation[];
  /** Ids of authorities that a debater cited without having been shown them. */
  invented: string[];
}

export interface Pruning {
  round: number;
  measure: "embedding" | "shared words";
  model: string | null;
  /** By reader: authors of the briefs that it still reads. */
  kept: Record<string, string[]>;
  /** By reader: authors of the removed briefs, each with the intervention that removed it. */
  dropped: Record<string, { debater: string; because: string }[]>;
}

/** Words that were hidden from a blind judge; `debater` null: from a person's note. */
export interface LeftOut {
  debater: string | null;
  round: number | null;
  words: string;
}

/** The debate as data, for experiments. */
export interface DebateRecord {
  question: Question;
  rounds: {
    round: number;
    briefs: {
      debater: string;
      artifact_id: string;
      position: string;
      confidence: number;
      concedes: string[];
      citations: number;
      /** Estimate: four characters per token. */
      tokens: number;
      over_limit: boolean;
    }[];
  }[];
  position_changes: { debater: string; round: number; from: string; to: string }[];
  ended: "rounds" | "agreed";
  /** The letter that the judge saw for each debater. */
  parties: { party: string; debater: string; model: string }[];
  /** Words that were hidden from a blind judge. */
  left_out: LeftOut[];
  /** The authority behind each label in briefs and verdict. */
  authorities: { label: string; authority_id: string; source: string; title: string | null }[];
  answers: { said: string; read: string | null }[];
  answer: string | null;
  decided_by: string;
}

export interface Vote {
  votes: Record<string, number>;
  /** Answers that named no choice. */
  invalid: number;
  answer: string | null;
  /** Number of the first sample that gave this answer, from 1. */
  sample: number | null;
}

export interface HumanReview {
  decision: string;
  note: string | null;
  questions: { debater: string; question: string }[];
  evidence: number;
  answered_by: string | null;
}

/** Kinds of artifacts, with their recipients (Silva et al., 3.1 to 3.3). */
export const KINDS = {
  option_ranking: { summary: "The choices with their probabilities before the debate.", send_to: ["debater"] },
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
  verdict: { summary: "The judge's answer, rationale, checklist and check of citations.", send_to: ["human"] },
  sole_answer: { summary: "One agent's answer without a debate (the baselines).", send_to: ["judge", "human"] },
  vote: { summary: "The votes of the samples (`self_consistency`).", send_to: ["human"] },
  citation_support: { summary: "Whether authorities support the citations of a baseline.", send_to: ["human"] },
  citation_check: { summary: "Every citation, with the results of its checks by code and judge.", send_to: ["human"] },
  debate_record: {
    summary: "The debate as data: positions, changes, confidence, letters of the parties.",
    send_to: ["human"],
  },
  debate_report: { summary: "The whole case as a document for a person to read.", send_to: ["human"] },
} as const satisfies Record<string, KindDefinition>;

export type Kind = keyof typeof KINDS;

/** Kinds at which a run may wait for a person's feedback: the outputs of actions. */
export const CHECKPOINT_KINDS = [
  "option_ranking",
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

/** An answer that the question offers. */
export interface Choice {
  label: string;
  text: string;
}

export interface Question {
  text: string;
  /** Empty: the question is open. */
  choices: readonly Choice[];
  jurisdiction: string | null;
  language: string | null;
}
