import { z } from "zod";
import { commonOptions, documentSchema, mainDocument, nonBlankText } from "#workflow-kit/options";
import { REVIEW_KINDS } from "./artifacts";
import { functionSchema } from "#workflow-kit/functions";

export const inputSchema = z.strictObject({
  requirement: nonBlankText(20_000).describe("The user's request, which may be vague, in any language."),
  context: nonBlankText(20_000)
    .optional()
    .describe("Context of the request: earlier turns of the dialogue, data, a document."),
});

const limit = (min: number, max: number, fallback: number) => z.int().min(min).max(max).default(fallback);

export const SKIPPABLE = ["requirement_analysis", "design", "reflection"] as const;

export const optionsSchema = z
  .strictObject({
    clarification: z
      .enum(["ask", "infer", "skip"])
      .default("ask")
      .describe("A person answers the clarifying questions, or answers are inferred, or nothing is asked."),
    agents: z
      .array(z.string().max(100))
      .min(1)
      .max(500)
      .optional()
      .describe("Ids of the worker agents that the run may use. By default all of the registry."),
    functions: z
      .array(functionSchema)
      .min(1)
      .max(64)
      .optional()
      .describe("The caller's own functions; the output then holds the calls that the run would make."),
    max_requirement_revisions: limit(0, 10, 3).describe("How many times rejected Gherkin may be rewritten."),
    max_pseudocode_revisions: limit(0, 10, 3).describe("How many times rejected pseudocode may be rewritten."),
    max_response_revisions: limit(0, 10, 3).describe("How often the design is revised after a rejected response."),
    max_repairs: limit(0, 10, 5).describe("How many failed executions are analysed and repaired."),
    max_executions: limit(1, 20, 8).describe("How many executions of programs there may be in total."),
    on_gherkin_rejected: z
      .enum(["optimize", "transform"])
      .default("optimize")
      .describe("A rejected Gherkin goes to the Optimization Expert, or directly back to its writer."),
    verify_requirement: z
      .boolean()
      .default(false)
      .describe("The Gherkin is verified against the user's words before the work begins, not only by its parser."),
    verify_repaired_pseudocode: z
      .boolean()
      .default(false)
      .describe("A pseudocode that was repaired, or redone for a rejected response, is verified too."),
    strict_response: z
      .boolean()
      .default(true)
      .describe("The Response Verifier judges correctness too, not only whether the response fits."),
    improve_response: z
      .boolean()
      .default(true)
      .describe(
        "Passages of an accepted response are changed by its agent when the Response Verifier names improvements; with `functions` it is written once more.",
      ),
    on_verifier_limit: z
      .enum(["best", "fail"])
      .default("best")
      .describe(
        "When Gherkin or pseudocode is still rejected at its limit, the run continues with the last usable version, which `unverified` in the output names; or " +
          "it ends without an answer. A response that is still rejected is the answer, with `accepted: false`; or there is none.",
      ),
    skip_stages: z
      .array(z.enum(SKIPPABLE))
      .max(SKIPPABLE.length)
      .default([])
      .describe("Stages to skip: the paper's ablations."),
    strategy: z
      .enum(["waagents", "single_agent"])
      .default("waagents")
      .describe("`single_agent`: one model answers directly, the paper's baseline."),
    ...commonOptions(REVIEW_KINDS),
  })
  .superRefine(({ functions }, context) => {
    const names = functions?.map(({ name }) => name) ?? [];
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({
          code: "custom",
          path: ["functions", index, "name"],
          message: "Another function has this name.",
        });
    });
  });

/** Why a run ended. */
export const STOP_REASONS = [
  "accepted",
  "answered",
  "max_requirement_revisions",
  "unknown_agents",
  "max_pseudocode_revisions",
  "max_response_revisions",
  "max_repairs",
  "max_executions",
  "execution_failed",
  "rejected_by_human",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** A document that the run continued with although its verifier, or the parser, rejected it at the limit. */
export const unverifiedSchema = z.strictObject({
  kind: z.enum(["gherkin", "pseudocode", "response"]),
  reason: z.string(),
});

const document = (meaning: string) => documentSchema.nullable().describe(meaning);

export const outputSchema = z
  .strictObject({
    answer: z.string().nullable().describe("The answer as text; null when no program has returned one."),
    answer_json: z.unknown().optional().describe("The program's result, if it is not a text."),
    calls: z
      .array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
      .optional()
      .describe("Calls of the caller's own functions that the run would make; only with `functions`."),
    accepted: z.boolean(),
    document: mainDocument,
    gherkin: document("The requirement as Gherkin."),
    plan: document("The task plan."),
    pseudocode: document("The last pseudocode."),
    code: document("The last program."),
    unverified: z
      .array(unverifiedSchema)
      .describe("What the run continued with although it was rejected at its limit, with the last objection."),
    executions: z.int().describe("How often a program was run."),
    stop_reason: z.enum(STOP_REASONS),
    reason: z.string().optional().describe("The last rejection or error, if the run was not accepted."),
  })
  .meta({ id: "WaterfallOutput" });

/** What `profile: "paper"` gives to options that the request leaves out (WaAgents, 3 and A.2). */
export const PAPER_OPTIONS = {
  verify_requirement: true,
  strict_response: false,
  improve_response: false,
} as const satisfies Partial<z.input<typeof optionsSchema>>;

export type Unverified = z.infer<typeof unverifiedSchema>;
export type Input = z.infer<typeof inputSchema>;
export type Options = z.infer<typeof optionsSchema>;
export type Output = z.infer<typeof outputSchema>;
