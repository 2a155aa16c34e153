import { z } from "zod";
import type { KindDefinition } from "#workflow-kit/workflow";
import { ROLES, type Addressee } from "./roles";

/**
 * Contents of the artifacts (MARE, II-C). Models' artifacts fit strict JSON schemas: every property is required, and additional properties
 * are dropped. What a property holds is said in the prompts, which are sent with the schema: it is not sent twice.
 *
 * The result of the elicitation stage carries stories, questions and answers to later stages, up to 900 KB: 8 stakeholders with 30 stories
 * of 500 characters and 10 rounds of 5 answers of 800 characters are about 500 KB.
 */

export const roughIdeaSchema = z.object({
  idea: z.string(),
  title: z.string().nullable(),
  background: z.string().nullable(),
});

export const userStoriesSchema = z.object({
  stories: z.array(z.string().max(500).describe("As a …, I want …, so that …")).min(1).max(30),
});

export const questionSchema = z.object({
  questions: z
    .array(
      z.object({
        id: z.string(),
        topic: z.string().max(100),
        to: z.string().max(100),
        question: z.string().max(500),
      }),
    )
    .min(1)
    .max(5),
});

export const answerSchema = z.object({
  answers: z.array(z.object({ question: z.string(), answer: z.string().max(800) })).min(1),
});

export const criteriaSchema = z.object({
  criteria: z
    .array(z.object({ name: z.string(), description: z.string() }))
    .min(1)
    .max(20),
});

/**
 * Lines of a draft that change (`revise_req_draft`). `line` is the number that the reviser saw, `why` names findings; `text` is empty when the
 * line is removed.
 */
export const draftChangesSchema = z.object({
  changes: z.array(
    z.object({
      why: z.string(),
      line: z.int(),
      change: z.enum(["replace", "insert_after", "remove"]),
      text: z.string(),
    }),
  ),
});

/**
 * Entities of the wanted types; in an improvement only new and changed ones, and the names of those that no longer hold. They get their ids
 * when the model is merged.
 */
export const entitiesSchema = z.object({
  entities: z
    .array(
      z.object({
        requirements: z.array(z.string()),
        type: z.string(),
        name: z.string(),
        description: z.string(),
      }),
    )
    .max(100),
  removed: z.array(z.string()),
});

/** The relations that hold; every other pair has none. */
export const relationListSchema = z.object({
  relations: z.array(
    z.object({
      because: z.string(),
      from: z.string(),
      to: z.string(),
      type: z.string(),
    }),
  ),
});

/**
 * Decisions on pairs. `relation` is a relation type or `none`; `from` is the id of the entity where the relation starts,
 * null without a relation.
 */
export const relationsSchema = z.object({
  decisions: z.array(z.object({ pair: z.string(), relation: z.string(), from: z.string().nullable() })),
});

/** A whole model from one call (the single-model ablation, MARE, RQ3). */
export const extractedModelSchema = z.object({
  entities: z.array(
    z.object({
      id: z.string().describe("e1, e2, …"),
      type: z.string(),
      name: z.string(),
      description: z.string(),
    }),
  ),
  relations: z.array(
    z.object({
      type: z.string(),
      from: z.string().describe("Id of an entity"),
      to: z.string().describe("Id of an entity"),
    }),
  ),
});

/** The requirements model M, which code merges from the results of the Modeler's calls. */
export const requirementModelSchema = z.object({
  model_kind: z.string(),
  title: z.string(),
  entities: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      name: z.string(),
      description: z.string(),
      requirements: z.array(z.string()).optional().describe("Ids of the requirements that speak of it"),
    }),
  ),
  relations: z.array(z.object({ type: z.string(), from: z.string(), to: z.string() })),
  pairs: z
    .strictObject({
      allowed: z.number().describe("Pairs that the metamodel allows a relation between"),
      related: z.number(),
      none: z.number().describe("Pairs decided to have no relation"),
      undecided: z
        .array(z.tuple([z.string(), z.string()]))
        .describe("Pairs without a decision after all asking; treated as having no relation"),
    })
    .nullable()
    .describe("How the pairs were decided; null when the model was given or came from one call"),
});

/** The least grave first. */
export const SEVERITIES = ["minor", "major", "critical"] as const;

/** Errors of a requirement. */
export const SMELL_KINDS = [
  "incorrect",
  "incomplete",
  "inconsistent",
  "ambiguous",
  "unverifiable",
  "infeasible",
  "redundant",
  "other",
] as const;

/** Reasons come before verdicts: a model judges what it has written down. */
export const checkMessageSchema = z.object({
  review: z.string(),
  earlier: z.array(
    z.object({
      id: z.string(),
      put_right: z.boolean(),
    }),
  ),
  smells: z.array(
    z.object({
      id: z.string(),
      location: z.string(),
      explanation: z.string(),
      kind: z.enum(SMELL_KINDS),
      concerns: z.enum(["draft", "model", "both"]),
      severity: z.enum(SEVERITIES),
    }),
  ),
  accepted: z.boolean(),
});

export type RoughIdea = z.infer<typeof roughIdeaSchema>;
export type UserStories = z.infer<typeof userStoriesSchema>;
export type Questions = z.infer<typeof questionSchema>;
export type Answers = z.infer<typeof answerSchema>;
export type Criteria = z.infer<typeof criteriaSchema>;
export type DraftChanges = z.infer<typeof draftChangesSchema>;
export type Entities = z.infer<typeof entitiesSchema>;
export type RelationList = z.infer<typeof relationListSchema>;
export type Relations = z.infer<typeof relationsSchema>;
export type ExtractedModel = z.infer<typeof extractedModelSchema>;
export type RequirementModel = z.infer<typeof requirementModelSchema>;
export type CheckMessage = z.infer<typeof checkMessageSchema>;
export type Entity = RequirementModel["entities"][number];
export type Relation = RequirementModel["relations"][number];
export type Smell = CheckMessage["smells"][number];
export type Severity = Smell["severity"];

/** Content of each kind of artifact. */
export interface Contents {
  rough_idea: RoughIdea;
  user_stories: UserStories;
  requirement_question: Questions;
  stakeholders_answer: Answers;
  requirement_draft: string;
  draft_changes: DraftChanges;
  acceptance_criteria: Criteria;
  entities: Entities;
  relations: RelationList | Relations;
  extracted_model: ExtractedModel;
  requirement_model: RequirementModel;
  diagram_mermaid: string;
  diagram_plantuml: string;
  diagram_svg: string;
  check_message: CheckMessage;
  specification: string;
  error_report: string;
}

export type Kind = keyof Contents;

/** The kinds, and the flow of artifacts among agents (MARE, II-C: sent_from, send_to; Table II). */
export const KINDS: Record<Kind, KindDefinition<Addressee>> = {
  rough_idea: { summary: "The idea as given, with title and background.", send_to: ROLES },
  user_stories: {
    summary: "User stories of one stakeholder.",
    send_to: ["stakeholder", "collector", "checker", "documenter"],
  },
  requirement_question: {
    summary: "Questions of one interview round.",
    send_to: ["stakeholder", "collector", "checker"],
  },
  stakeholders_answer: {
    summary: "One stakeholder's or a person's answers in one round.",
    send_to: ["stakeholder", "collector", "checker", "documenter"],
  },
  requirement_draft: {
    summary: "The requirements draft, Markdown.",
    send_to: ["collector", "modeler", "checker", "documenter"],
  },
  draft_changes: { summary: "Lines of the draft that change after a check.", send_to: ["collector"] },
  acceptance_criteria: { summary: "The criteria by which the Checker judges.", send_to: ["collector", "checker"] },
  entities: { summary: "Entities of the wanted types of the metamodel.", send_to: ["modeler"] },
  relations: {
    summary: "The relations that hold between the entities, or decisions on a batch of pairs.",
    send_to: ["modeler"],
  },
  extracted_model: { summary: "Entities and relations from one call (`single_model`).", send_to: ["modeler"] },
  requirement_model: {
    summary: "The requirements model: entities, relations, and pairs left undecided.",
    send_to: ["modeler", "checker", "documenter"],
  },
  diagram_mermaid: { summary: "The model as Mermaid text.", send_to: ["human"] },
  diagram_plantuml: { summary: "The model as PlantUML text.", send_to: ["human"] },
  diagram_svg: { summary: "The model as an SVG picture.", send_to: ["human"] },
  check_message: {
    summary: "The Checker's judgment: accepted, or requirement smells.",
    send_to: ["collector", "modeler", "checker", "documenter"],
  },
  specification: {
    summary: "The software requirements specification, Markdown: as written, then with lists and tables filled in.",
    send_to: ["human"],
  },
  error_report: {
    summary: "The errors of draft and model, Markdown.",
    send_to: ["collector", "human"],
  },
};

/** Kinds at which a person may be asked for feedback: all kinds that an action makes. */
export const REVIEW_KINDS = [
  "user_stories",
  "requirement_question",
  "stakeholders_answer",
  "requirement_draft",
  "draft_changes",
  "acceptance_criteria",
  "entities",
  "relations",
  "extracted_model",
  "check_message",
  "specification",
  "error_report",
] as const satisfies readonly Kind[];
