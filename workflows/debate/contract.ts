import { z } from "zod";
import type { DocumentReference } from "#workflow-kit/artifact";
import { commonOptions, documentSchema, mainDocument } from "#workflow-kit/options";
import { CHECKLIST, REVIEW_KINDS, QUOTE_MATCHES } from "./artifacts";
import { readAlike, parseChoice } from "./rules/question";
import { INTERVENTIONS } from "./rules/interventions";
import { TOPOLOGIES } from "./rules/topology";

/** A text that is not blank. The pattern states this in JSON Schema too. */
const text = (max: number) => z.string().max(max).regex(/\S/);

/** Most positions in one debate: no judge compares more. */
export const MAX_DEBATERS = 6;

/**
 * A text that can be searched: not blank, no control characters, no U+FFFD of a failed decoding. A pattern, so that JSON Schema
 * states it too; it matches the same with and without the flag `u`.
 */
// oxlint-disable-next-line no-control-regex -- the pattern refuses control characters
const READABLE = /^(?=[\s\S]*\S)[^\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]*$/;

export const evidenceSchema = z.strictObject({
  source: text(500).describe("The name used in citations, such as a statute or a decision."),
  jurisdiction: text(100).optional().describe("Where it is law, such as `BR` or `US-CA`."),
  text: z.string().max(200_000).regex(READABLE, "Write text: more than blanks, and no control characters."),
});

const wellFormedEvidence = evidenceSchema.refine(({ text: words }) => words.isWellFormed(), {
  path: ["text"],
  message: "This is not well-formed Unicode: it holds half of a surrogate pair.",
});

const choiceSchema = z.strictObject({
  label: text(20).describe("Name of the choice, such as `A`."),
  text: text(5_000),
});

export const inputSchema = z
  .strictObject({
    question: text(20_000).describe("The question with its facts, in any language, which the answer also has."),
    choices: z
      .array(choiceSchema)
      .min(2)
      .max(40)
      .optional()
      .describe("The possible answers. Without choices the question is open, and the answer is a text."),
    jurisdiction: text(100).optional().describe("Jurisdiction whose law applies, in the notation of `evidence`."),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Write a language tag, like en or pt-BR.")
      .optional()
      .describe("Language tag of the question, such as `pt-BR`; by default detected from the question."),
    evidence: z.array(wellFormedEvidence).max(500).optional().describe("Evidence for this run alone."),
    corpus_ids: z.array(z.string().max(100)).max(20).optional().describe("Corpora to look for evidence in."),
  })
  .superRefine(({ choices = [] }, context) => {
    choices.forEach(({ label, text: words }, index) => {
      const before = choices.slice(0, index);
      if (before.some((choice) => readAlike(choice.label, label)))
        context.addIssue({
          code: "custom",
          path: ["choices", index, "label"],
          message: "Another choice has this label.",
        });
      if (before.some((choice) => choice.text.trim().toLowerCase() === words.trim().toLowerCase()))
        context.addIssue({
          code: "custom",
          path: ["choices", index, "text"],
          message: "Another choice says the same.",
        });
    });
  });

const limit = (min: number, max: number, fallback: number) => z.int().min(min).max(max).default(fallback);

export const optionsSchema = z.strictObject({
  strategy: z
    .enum(["debate", "single_agent", "self_consistency"])
    .default("debate")
    .describe(
      "`single_agent` and `self_consistency` are the paper's baselines: the same retrieval before the answer, the same form of answer, the same checks.",
    ),
  debaters: limit(2, MAX_DEBATERS, 2).describe(
    "How many positions are defended; at most as many as there are choices. `all_options` and a list of positions override it.",
  ),
  rounds: limit(1, 6, 2).describe("Rounds of briefs, the opening included."),
  positions: z
    .union([
      z.enum(["ranked", "all_options", "free"]),
      z.array(text(5_000)).min(2).max(MAX_DEBATERS).describe("Labels of choices; of an open question, theses."),
    ])
    .default("ranked")
    .describe(
      "How positions are assigned: the most probable answers, every choice, debaters' preferences, or your list.",
    ),
  topology: z
    .enum(TOPOLOGIES)
    .default("sparse_ring")
    .describe("Briefs that a debater sees in a rebuttal: one opponent's last one, all last ones, or all."),
  free_to_switch: z.boolean().default(false).describe("A debater may change its position in a rebuttal."),
  early_stop: z
    .boolean()
    .default(false)
    .describe(
      "The debate ends when all debaters hold the same position. It saves calls only with `free_to_switch` and at least `rounds: 3`.",
    ),
  top_k: limit(0, 20, 5).describe(
    "Number of authorities from corpora that every debater sees; 0: no retrieval. `evidence` is shown whole where it fits.",
  ),
  snippets_per_rebuttal: limit(0, 3, 1).describe("How many further authorities a debater may ask for in a rebuttal."),
  brief_tokens: z
    .int()
    .min(50)
    .max(2000)
    .optional()
    .describe("Approximate length of a brief in tokens, without quotes; by default 400, and 900 for an open question."),
  cross_examiner: z.boolean().default(false).describe("Asks each side one question before judgment."),
  judging: z.enum(["blind", "labeled"]).default("blind").describe("Whether the judge sees which model wrote a brief."),
  samples: limit(1, 40, 5).describe("How many answers vote under `self_consistency`."),
  solvers: limit(0, 5, 3).describe(
    "How many short answers are written apart from each other before positions are assigned, for `positions: ranked` of a question with choices; 0: one call ranks the choices. Answers that differ are debated.",
  ),
  skip_debate_above: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe(
      "No debate is held when all solvers give one answer, and its mean probability is above this; without solvers, when the ranking's first is above it. 1: always debate, as under `human_review`.",
    ),
  interventions: z
    .array(z.enum(INTERVENTIONS))
    .max(INTERVENTIONS.length)
    .default([])
    .describe("Filters and corrections of briefs before opponents read them."),
  human_review: z.boolean().default(false).describe("A person sees the briefs before judgment."),
  judge_each_round: z
    .boolean()
    .default(false)
    .describe(
      "The judge also decides on the briefs of the first round alone, of the first two, and so on: `answers_by_round` shows what each round changes. One more call for each earlier round.",
    ),
  ...commonOptions(REVIEW_KINDS),
});

/** What `profile: "paper"` gives to options that the request leaves out. */
export const PAPER_OPTIONS = { solvers: 0, skip_debate_above: 1 } as const;

/** Errors that input and options show only together. */
export function requestErrors({ choices = [] }: Input, { positions, strategy, profile, ...options }: Options) {
  const open = choices.length === 0;
  const fieldError = (path: string, message: string) => ({ path, code: "custom", message });
  const errors: ReturnType<typeof fieldError>[] = [];
  for (const name of ["solvers", "skip_debate_above"] as const)
    if (profile === "paper" && options[name] !== PAPER_OPTIONS[name])
      errors.push(fieldError(`options.${name}`, "The paper always debates; omit this, or `profile`."));
  if (open && positions === "all_options")
    errors.push(fieldError("options.positions", "`all_options` needs `choices`: the question is open."));
  if (open && strategy === "self_consistency")
    errors.push(fieldError("options.strategy", "Samples vote among `choices`, and the question is open."));
  if (typeof positions === "string") return errors;
  const named = positions.map((position) => (open ? position.trim().toLowerCase() : parseChoice(position, choices)));
  const labels = choices.map(({ label }) => label).join(", ");
  named.forEach((name, index) => {
    const path = `options.positions.${index}`;
    if (name === null) errors.push(fieldError(path, `No choice has this label; the labels are ${labels}.`));
    else if (named.indexOf(name) < index) errors.push(fieldError(path, "Another debater has this position."));
  });
  return errors;
}

/** Why a run ended, and how its answer was found. */
export const STOP_REASONS = [
  "judged",
  "agreed",
  "majority",
  "invalid",
  "answered",
  "voted",
  "undisputed",
  "rejected_by_human",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const pointSchema = z.strictObject({ met: z.boolean(), note: z.string() });

const externalId = z.string().nullable().describe("The caller's own id of the document; null: it has none.");

const citationSchema = z.strictObject({
  authority_id: z.string(),
  external_id: externalId,
  quote: z.string(),
  proposition: z.string(),
  quote_match: z
    .enum(QUOTE_MATCHES)
    .describe(
      "`abridged`: with harmless omissions; `altered`: an omission is too long or drops a negation, a condition or an exception.",
    ),
  quote_found: z.boolean().describe("The authority contains the quoted words: `verbatim` or `abridged`."),
  supported: z.boolean().nullable().describe("The authority supports the proposition; null: not judged."),
  foreign: z.boolean().describe("The authority is from another jurisdiction than the question."),
  cited_by: z
    .array(z.string())
    .describe(
      "Debaters, such as `debater_1`, a sample, a solver such as `solver_1`, or `judge`: the answer rests on it.",
    ),
});

const partySchema = z.strictObject({
  party: z.string().describe("The letter that judge and report use for the debater."),
  debater: z.string().describe("Such as `debater_1`."),
  position: z.string().describe("Label of the choice that the debater defended; for an open question `P1`, `P2`, …"),
  statement: z.string().describe("The choice's text, or the thesis."),
  held: z.string().describe("Label of the position that the debater held at the end."),
  model: z.string().describe("The model that wrote its briefs."),
});

export const outputSchema = z
  .strictObject({
    answer: z.string().nullable().describe("A choice's label, or the text that answers an open question; null: none."),
    confidence: z.number().min(0).max(1).nullable(),
    rationale: z
      .array(z.string())
      .describe(
        "Three points; of an undisputed answer a point of each solver. Empty when a majority decided: it gives no reasons.",
      ),
    checklist: z
      .strictObject(
        Object.fromEntries(CHECKLIST.map((point) => [point, pointSchema])) as Record<Point, typeof pointSchema>,
      )
      .nullable(),
    winner: z
      .string()
      .nullable()
      .describe("The debater who argued best, such as `debater_2`, whether or not its answer prevailed."),
    prevailed: z
      .array(z.string())
      .describe("Debaters whose position the answer is; for an open question, the one whose position it adopts."),
    parties: z.array(partySchema).describe("Each debater with its position; empty when nothing was judged."),
    citations: z.array(citationSchema).describe("Citations of authorities that the debater was shown."),
    invented_citations: z
      .array(z.strictObject({ authority_id: z.string(), proposition: z.string(), cited_by: z.array(z.string()) }))
      .describe("Citations of authorities that the debater was never shown. They count as wrong."),
    retrieved: z
      .array(z.strictObject({ authority_id: z.string(), external_id: externalId }))
      .describe("The passages that the run found, cited or not."),
    rounds: z
      .int()
      .describe("Rounds of debate, the opening included; 0 in the baselines, and when the debate was skipped."),
    answers_by_round: z
      .array(z.string().nullable())
      .optional()
      .describe("The judge's answer after each round, the last one included; only with `judge_each_round`."),
    stop_reason: z.enum(STOP_REASONS).describe("`undisputed`: the debate was skipped, see `skip_debate_above`."),
    document: mainDocument,
    report: documentSchema.nullable().describe("The whole case, for a person to read; the same as `document`."),
    drawing: documentSchema
      .nullable()
      .describe("The debate as a drawing (SVG): positions over rounds, who rebuts whom, results of the citations."),
  })
  .meta({ id: "DebateOutput" });

type Point = (typeof CHECKLIST)[number];
export type Input = z.infer<typeof inputSchema>;
export type Options = z.infer<typeof optionsSchema>;
export type Output = Omit<z.infer<typeof outputSchema>, "document" | "report" | "drawing"> & {
  document: DocumentReference | null;
  report: DocumentReference | null;
  drawing: DocumentReference | null;
};
