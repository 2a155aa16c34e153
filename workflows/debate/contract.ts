import { z } from "zod";
import { commonOptions, documentSchema } from "#workflow-kit/options";
import { CHECKLIST, CHECKPOINT_KINDS } from "./artifacts";
import { readAlike, readAnswer } from "./rules/question";
import { INTERVENTIONS } from "./rules/interventions";
import { TOPOLOGIES } from "./rules/topology";

/** A text that holds more than blanks. The pattern says so in JSON Schema too. */
const text = (max: number) => z.string().max(max).regex(/\S/);

/** Everything defended at once: more sides than this, no judge compares. */
export const MOST_DEBATERS = 6;

/**
 * A text that can be looked in: more than blanks, no binary data, nothing that a decoder gave up on. Told by a pattern, so that JSON
 * Schema says it too; it means the same with and without the flag `u`.
 */
// oxlint-disable-next-line no-control-regex -- they are what it refuses
const READABLE = /^(?=[\s\S]*\S)[^\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]*$/;

export const evidenceSchema = z.strictObject({
  source: text(500).describe("What it is, as one would cite it."),
  jurisdiction: text(100).optional().describe("Where it is law, such as `BR` or `US-CA`."),
  text: z.string().max(200_000).regex(READABLE, "Write text: more than blanks, and no control characters."),
});

const wellFormedEvidence = evidenceSchema.refine(({ text: words }) => words.isWellFormed(), {
  path: ["text"],
  message: "This is not well-formed Unicode: it holds half of a surrogate pair.",
});

const choiceSchema = z.strictObject({
  label: text(20).describe("How the choice is named, such as `A`."),
  text: text(5_000),
});

export const inputSchema = z
  .strictObject({
    question: text(20_000).describe("The question with its facts, in any language. The answer is in the same."),
    choices: z
      .array(choiceSchema)
      .min(2)
      .max(40)
      .optional()
      .describe("What may be answered. Without choices the question is open, and the answer a text."),
    jurisdiction: text(100).optional().describe("Whose law applies, written as evidence writes its own."),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Write a language tag, like en or pt-BR.")
      .optional()
      .describe("Language tag of the question, such as `pt-BR`; by default as the question reads."),
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
    .describe("`single_agent` and `self_consistency` are the paper's baselines, on the same evidence."),
  debaters: limit(2, MOST_DEBATERS, 2).describe(
    "How many positions are defended; at most as many as there are choices. `all_options` and a list of positions decide it themselves.",
  ),
  rounds: limit(1, 6, 2).describe("The opening counts."),
  positions: z
    .union([
      z.enum(["ranked", "all_options", "free"]),
      z.array(text(5_000)).min(2).max(MOST_DEBATERS).describe("Labels of choices; of an open question, theses."),
    ])
    .default("ranked")
    .describe("Who defends what: the most probable answers, every choice, what each debater chooses, or your list."),
  topology: z
    .enum(TOPOLOGIES)
    .default("sparse_ring")
    .describe("What a debater sees in a rebuttal: one opponent's last brief, all last briefs, or everything."),
  free_to_switch: z.boolean().default(false).describe("A debater may change its position in a rebuttal."),
  early_stop: z
    .boolean()
    .default(false)
    .describe(
      "The debate ends when all hold the same position; with `free_to_switch`, and from `rounds: 3`, it saves calls.",
    ),
  top_k: limit(0, 20, 5).describe("Authorities that everybody is shown; 0: no retrieval."),
  snippets_per_rebuttal: limit(0, 3, 1).describe("How many further authorities a debater may ask for in a rebuttal."),
  brief_tokens: limit(50, 2000, 400).describe("How long a brief may be, about."),
  cross_examiner: z.boolean().default(false).describe("Each side is asked one question before judgment."),
  judging: z.enum(["blind", "labeled"]).default("blind").describe("Whether the judge is told which model wrote what."),
  samples: limit(1, 40, 5).describe("How many answers vote under `self_consistency`."),
  interventions: z
    .array(z.enum(INTERVENTIONS))
    .max(INTERVENTIONS.length)
    .default([])
    .describe("What is done with briefs before opponents read them."),
  human_review: z.boolean().default(false).describe("A person sees the briefs before judgment."),
  ...commonOptions(CHECKPOINT_KINDS),
});

/** What input and options can only together be wrong in, as faults of the request. */
export function requestFaults({ choices = [] }: Input, { positions, strategy }: Options) {
  const open = choices.length === 0;
  const fault = (path: string, message: string) => ({ path, code: "custom", message });
  const faults: ReturnType<typeof fault>[] = [];
  if (open && positions === "all_options")
    faults.push(fault("options.positions", "`all_options` needs `choices`: the question is open."));
  if (open && strategy === "self_consistency")
    faults.push(fault("options.strategy", "Samples vote among `choices`, and the question is open."));
  if (typeof positions === "string") return faults;
  const named = positions.map((position) => (open ? position.trim().toLowerCase() : readAnswer(position, choices)));
  const labels = choices.map(({ label }) => label).join(", ");
  named.forEach((name, index) => {
    const path = `options.positions.${index}`;
    if (name === null) faults.push(fault(path, `No choice is labeled so; there is ${labels}.`));
    else if (named.indexOf(name) < index) faults.push(fault(path, "Another debater has this position."));
  });
  return faults;
}

/** Why a run ended, and how its answer was found. */
export const STOP_REASONS = [
  "judged",
  "agreed",
  "majority",
  "invalid",
  "answered",
  "voted",
  "rejected_by_human",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const pointSchema = z.strictObject({ met: z.boolean(), note: z.string() });

const citationSchema = z.strictObject({
  authority_id: z.string(),
  quote: z.string(),
  proposition: z.string(),
  quote_found: z.boolean().describe("The quoted words stand in the authority."),
  supported: z.boolean().nullable().describe("The authority says what it is cited for; null: nobody judged it."),
  foreign: z.boolean().describe("The authority is of another jurisdiction than the question."),
  cited_by: z.array(z.string()).describe("Debaters, such as `debater_1`."),
});

const partySchema = z.strictObject({
  party: z.string().describe("The letter under which judge and report speak of it."),
  debater: z.string().describe("Such as `debater_1`."),
  position: z.string().describe("Label of the choice that it defended; of an open question `P1`, `P2`, …"),
  statement: z.string().describe("The choice's text, or the thesis."),
  held: z.string().describe("Label of the position that it held at the end."),
});

export const outputSchema = z
  .strictObject({
    answer: z.string().nullable().describe("A choice's label, or the text that answers an open question; null: none."),
    confidence: z.number().min(0).max(1).nullable(),
    rationale: z.array(z.string()).describe("Three points, or none where nothing was judged."),
    checklist: z
      .strictObject(
        Object.fromEntries(CHECKLIST.map((point) => [point, pointSchema])) as Record<Point, typeof pointSchema>,
      )
      .nullable(),
    winner: z.string().nullable().describe("The debater who argued best, such as `debater_2`."),
    parties: z.array(partySchema).describe("Who stood for what; none where nothing was judged."),
    citations: z.array(citationSchema).describe("Citations of authorities that the debater was shown."),
    invented_citations: z
      .array(z.strictObject({ authority_id: z.string(), proposition: z.string(), cited_by: z.array(z.string()) }))
      .describe("Citations of what the debater was never shown. They count as wrong."),
    rounds: z.int().describe("Rounds of debate, the opening included; 0 in the baselines."),
    stop_reason: z.enum(STOP_REASONS),
    report: documentSchema.nullable().describe("The whole case, for a person to read."),
  })
  .meta({ id: "DebateOutput" });

type Point = (typeof CHECKLIST)[number];
export type Input = z.infer<typeof inputSchema>;
export type Options = z.infer<typeof optionsSchema>;
export type Output = Omit<z.infer<typeof outputSchema>, "report"> & {
  report: { artifact_id: string; kind: string } | null;
};
