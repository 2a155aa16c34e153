import { z } from "zod";
import {
  type AnswerValue,
  INTERACTION_KINDS,
  INTERACTION_STATUSES,
  ON_EXPIRY,
  QUESTION_TYPES,
  type Question,
  assigneeSchema,
} from "#core/vocabulary";
import type { FeedbackAnswer } from "#workflow-kit/questions";
import { aboutFields } from "../fields/about";
import { id, jsonObject, orNull, time } from "../fields/schema";

export const interactionStatusSchema = z.enum(INTERACTION_STATUSES).meta({ id: "InteractionStatus" });

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]) satisfies z.ZodType<AnswerValue>;

const questionSchema = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    type: z.enum(QUESTION_TYPES),
    choices: z.array(z.string()).optional(),
    required: z.boolean(),
    default: value.optional(),
    dimension: z.string().optional().describe("The subject of the question."),
    artifact_id: id("art").optional().describe("The one of `artifacts` that it is about."),
  })
  .meta({ id: "Question" }) satisfies z.ZodType<Question>;

/** The Interaction of the API (design: api.md, "Interaction"). */
export const interactionSchema = z
  .strictObject({
    object: z.literal("interaction"),
    id: id("int"),
    run_id: id("run"),
    ...aboutFields,
    kind: z.enum(INTERACTION_KINDS),
    status: interactionStatusSchema,
    stage: z.string(),
    prompt: z.string(),
    artifacts: z.array(id("art")),
    questions: z.array(questionSchema),
    answer_schema: jsonObject.describe("JSON Schema of the body that answers."),
    answer: jsonObject.nullable(),
    answered_by: z.string().nullable(),
    assignee: orNull(assigneeSchema).describe("The person who shall answer; null: nobody was named."),
    callback_url: z
      .string()
      .nullable()
      .describe("Anyone who has this URL may answer. null for keys without the scope `runs:write`."),
    expires_at: time,
    on_expiry: z.enum(ON_EXPIRY),
    created_at: time,
    answered_at: time.nullable(),
  })
  .meta({ id: "Interaction" });
export type PresentedInteraction = z.infer<typeof interactionSchema>;

/** For the docs only: an answer is checked by the interaction's own `answer_schema`. */
export const answerSchema = z
  .union([
    z
      .strictObject({
        answers: z.record(z.string(), value).describe("By the id of the question."),
        comment: z.string().optional(),
        answered_by: z.string().optional(),
      })
      .meta({ id: "ClarificationAnswer" }),
    z
      .strictObject({
        decision: z.enum(["approve", "revise", "reject"]),
        comment: z.string().optional().describe("Required with `revise`: the action is done again with it."),
        edited_content: z.unknown().describe("The edited artifact; becomes a new version by `human`."),
        additions: z.unknown().describe("In the form of the interaction's `answer_schema`."),
        answered_by: z.string().optional(),
      })
      .meta({ id: "FeedbackAnswer" }) satisfies z.ZodType<FeedbackAnswer>,
  ])
  .meta({ id: "Answer" });
