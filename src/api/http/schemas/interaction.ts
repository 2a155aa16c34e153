import { z } from "@hono/zod-openapi";
import { INTERACTION_KINDS, INTERACTION_STATUSES, ON_EXPIRY, QUESTION_TYPES, type Question } from "#core/vocabulary";
import { id, time } from "./common";

export const interactionStatusSchema = z.enum(INTERACTION_STATUSES).openapi("InteractionStatus");

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const questionSchema = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    type: z.enum(QUESTION_TYPES),
    choices: z.array(z.string()).optional(),
    required: z.boolean(),
    default: value.optional(),
    dimension: z.string().optional().openapi({ description: "What the question is about." }),
  })
  .openapi("Question") satisfies z.ZodType<Question>;

export const interactionSchema = z
  .strictObject({
    object: z.literal("interaction"),
    id: id("int"),
    run_id: id("run"),
    kind: z.enum(INTERACTION_KINDS),
    status: interactionStatusSchema,
    stage: z.string(),
    prompt: z.string(),
    artifacts: z.array(id("art")),
    questions: z.array(questionSchema),
    answer_schema: z.record(z.string(), z.unknown()).openapi({ description: "JSON Schema of the body that answers." }),
    answer: z.record(z.string(), z.unknown()).nullable(),
    answered_by: z.string().nullable(),
    callback_url: z
      .string()
      .nullable()
      .openapi({ description: "Whoever knows it may answer. null for keys without the scope `runs:write`." }),
    expires_at: time,
    on_expiry: z.enum(ON_EXPIRY),
    created_at: time,
    answered_at: time.nullable(),
  })
  .openapi("Interaction");

/** Shown in the docs; what counts is the interaction's own `answer_schema`. */
export const answerSchema = z
  .union([
    z
      .strictObject({
        answers: z.record(z.string(), value).openapi({ description: "By the id of the question." }),
        comment: z.string().optional(),
        answered_by: z.string().optional(),
      })
      .openapi("ClarificationAnswer"),
    z
      .strictObject({
        decision: z.enum(["approve", "revise", "reject"]),
        comment: z
          .string()
          .optional()
          .openapi({ description: "Required with `revise`: the action is done again with it." }),
        edited_content: z
          .unknown()
          .openapi({ description: "The artifact as it should read; becomes a new version by `human`." }),
        additions: z.unknown().openapi({ description: "As the interaction's `answer_schema` has it." }),
        answered_by: z.string().optional(),
      })
      .openapi("FeedbackAnswer"),
  ])
  .openapi("Answer");
