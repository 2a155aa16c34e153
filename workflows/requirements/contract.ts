import { z } from "zod";
import { commonOptions, documentSchema, mainDocument, nonBlankText } from "#workflow-kit/options";
import { REVIEW_KINDS } from "./artifacts";
import { IDENTITIES } from "./roles";
import { ACCEPT_AT } from "./rules/acceptance";
import { metamodelSchema, MODEL_KINDS } from "./rules/metamodels";

/** Names are parts of step names, so they must be one line. */
const stakeholder = z.strictObject({
  name: nonBlankText(100).refine(
    (name) => !/[\p{Cc}\u2028\u2029]/u.test(name),
    "Keep to one line, without control characters.",
  ),
  profile: nonBlankText(2000).describe("Its role and its concerns."),
});

/** A model in a request. Entities are known by their names. */
const givenModel = z.strictObject({
  entities: z
    .array(
      z.strictObject({
        type: nonBlankText(64),
        name: nonBlankText(200),
        description: z.string().max(2000).default(""),
      }),
    )
    .min(1)
    .max(300),
  relations: z
    .array(
      z.strictObject({
        type: nonBlankText(64),
        from: nonBlankText(200).describe("Name of an entity"),
        to: nonBlankText(200).describe("Name of an entity"),
      }),
    )
    .max(1000),
});

export const inputSchema = z
  .strictObject({
    idea: nonBlankText(20_000).describe("The rough idea of the system, in any language; a name is enough."),
    title: nonBlankText(200).optional().describe("Name of the system. By default it is taken from the idea."),
    background: nonBlankText(20_000).optional().describe("Further facts for the team."),
    stakeholders: z
      .array(stakeholder)
      .min(1)
      .max(8)
      .optional()
      .describe(
        `Stakeholders to interview, 1 to 8. By default one, ${IDENTITIES.stakeholder.name}, stands for everybody who uses or runs the system.`,
      ),
    draft: nonBlankText(100_000)
      .optional()
      .describe(
        "A requirements draft, Markdown, to start from: no stories are told and no questions asked before the first check.",
      ),
    model: givenModel
      .optional()
      .describe(
        "The requirements model of `draft`, which is then not extracted before the first check. Only with `draft`.",
      ),
  })
  .superRefine((input, context) => {
    const names = input.stakeholders?.map(({ name }) => name.trim().toLowerCase()) ?? [];
    names.forEach((name, index) => {
      if (names.indexOf(name) < index) {
        context.addIssue({
          code: "custom",
          path: ["stakeholders", index, "name"],
          message: "Another stakeholder has this name. Artifacts tell stakeholders apart by their names.",
        });
      }
    });
    if (input.model && !input.draft)
      context.addIssue({
        code: "custom",
        path: ["draft"],
        message: "A model is the model of a draft: give `draft` too.",
      });
  });

export const optionsSchema = z
  .strictObject({
    model_kind: z
      .enum(MODEL_KINDS)
      .default("use_case")
      .describe("Kind of requirements model; `custom` needs `metamodel`."),
    metamodel: metamodelSchema.optional().describe("Entity and relation types; only with `model_kind: custom`."),
    num_user_stories: z.int().min(1).max(30).default(5).describe("User stories of each stakeholder."),
    qa_rounds: z.int().min(0).max(10).default(2).describe("Interview rounds before the first draft."),
    human_stakeholder: z.boolean().default(false).describe("A person answers the Collector's questions."),
    max_iterations: z.int().min(1).max(10).default(3).describe("Checks of draft and model before the run gives up."),
    reinterview: z
      .boolean()
      .default(false)
      .describe("On an error report the Collector asks once more before it improves the draft."),
    acceptance_criteria: z
      .array(z.strictObject({ name: nonBlankText(100), description: nonBlankText(2000) }))
      .min(1)
      .max(20)
      .optional()
      .describe("The criteria of every check. By default the Checker derives them once from the idea."),
    accept_at: z
      .enum(ACCEPT_AT)
      .default("minor")
      .describe(
        "The highest severity of a finding with which draft and model are accepted. `none`: no finding at all, as the paper has it.",
      ),
    relation_calls: z
      .enum(["listed", "batched", "per_pair"])
      .default("listed")
      .describe(
        "`listed`: one call lists all relations. `batched`, `per_pair`: a decision on every pair of entities, up to 40 or one in a call.",
      ),
    draft_template: nonBlankText(20_000).optional().describe("Markdown that the draft follows. By default ours."),
    srs_template: nonBlankText(20_000)
      .optional()
      .describe("Markdown that the specification follows. By default one shaped by ISO/IEC/IEEE 29148."),
    strategy: z
      .enum(["mare", "single_model"])
      .default("mare")
      .describe("`single_model` extracts the whole model in one call: the paper's ablation (RQ3)."),
    ...commonOptions(REVIEW_KINDS),
  })
  .superRefine((options, context) => {
    if (options.model_kind === "custom" && !options.metamodel) {
      context.addIssue({
        code: "custom",
        path: ["metamodel"],
        message: "model_kind is custom, so a metamodel must be given.",
      });
    }
    if (options.model_kind !== "custom" && options.metamodel) {
      context.addIssue({
        code: "custom",
        path: ["metamodel"],
        message: `model_kind is ${options.model_kind}, which has its own metamodel. Set model_kind to custom, or omit metamodel.`,
      });
    }
  });

/** Defaults under `profile: paper` (MARE, II-B): no finding is left, each pair of entities is decided, and the criteria are those that it names. */
export const PAPER_OPTIONS = {
  accept_at: "none",
  relation_calls: "batched",
  acceptance_criteria: [
    { name: "Correctness", description: "The requirements say what the stakeholders need." },
    { name: "Completeness", description: "No requirement that the stakeholders need is missing." },
    { name: "Consistency", description: "No requirement contradicts another one or the requirements model." },
  ],
} as const satisfies Partial<z.input<typeof optionsSchema>>;

/** Why a run's loop ended. */
export const STOP_REASONS = ["accepted", "max_iterations", "same_smells", "rejected_by_human"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const document = (meaning: string) => documentSchema.nullable().describe(meaning);

export const outputSchema = z
  .strictObject({
    accepted: z.boolean(),
    document: mainDocument,
    specification: document(
      "The specification. When the requirements were not accepted, it is marked so and ends with the open findings; null under `profile: paper`, and when a person rejected a document.",
    ),
    draft: document("The last requirements draft."),
    model: document("The last requirements model."),
    diagrams: z.array(documentSchema).describe("The model as Mermaid, PlantUML and SVG."),
    error_report: document(
      "The last error report; null when the requirements were accepted, or no report was written.",
    ),
    iterations: z.int().describe("Number of checks by the Checker."),
    stop_reason: z.enum(STOP_REASONS),
  })
  .meta({ id: "RequirementsOutput" });

export type Input = z.infer<typeof inputSchema>;
export type Options = z.infer<typeof optionsSchema>;
export type Output = z.infer<typeof outputSchema>;

/** A participant of the interview. */
export type Stakeholder = NonNullable<Input["stakeholders"]>[number];

/** The stakeholders of the input; by default the paper's single stakeholder. */
export function stakeholdersOf(input: Input): readonly Stakeholder[] {
  const { name, profile } = IDENTITIES.stakeholder;
  return input.stakeholders ?? [{ name, profile }];
}
