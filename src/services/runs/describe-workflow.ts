import { z } from "zod";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { DescribedWorkflow } from "./workflow-schema";

export type JsonSchema = Record<string, unknown>;

const descriptionOf = (workflow: WorkflowDefinition): DescribedWorkflow => ({
  object: "workflow",
  name: workflow.name,
  version: workflow.version,
  title: workflow.title,
  summary: workflow.summary,
  source: workflow.source,
  stages: [...workflow.stages],
  roles: workflow.roles.map(({ name, summary, decoding, paper_decoding = decoding }) => ({
    name,
    summary,
    decoding: { ...decoding },
    paper_decoding: { ...paper_decoding },
  })),
  actions: workflow.actions.map(({ name, role, kind, summary, outcomes }) => ({
    name,
    role,
    kind,
    summary,
    outcomes: [...outcomes],
  })),
  kinds: Object.fromEntries(Object.entries(workflow.kinds).map(([kind, { summary }]) => [kind, summary])),
  review_kinds: [...workflow.review_kinds],
  input: toJsonSchema(workflow.input, "input"),
  options: toJsonSchema(workflow.options, "input"),
  paper_options: { ...workflow.paper_options },
  output: toJsonSchema(workflow.output, "output"),
  example: workflow.example,
});

/** @param side of the API: fields with defaults may be absent from input, and are present in output */
export const toJsonSchema = (schema: z.ZodType, side: "input" | "output"): JsonSchema =>
  z.toJSONSchema(schema, { io: side, unrepresentable: "any" }) as JsonSchema;

export const listWorkflows = ({ workflows }: Services): DescribedWorkflow[] =>
  Object.values(workflows).map(describeWorkflow);

/** Cached, because the JSON Schemas cost milliseconds of CPU, and workflows never change. */
const described = new WeakMap<WorkflowDefinition, DescribedWorkflow>();

export function describeWorkflow(workflow: WorkflowDefinition): DescribedWorkflow {
  const known = described.get(workflow) ?? descriptionOf(workflow);
  described.set(workflow, known);
  return known;
}

/** @throws Problem `not_found` */
export function getWorkflow({ workflows }: Services, name: string): DescribedWorkflow {
  if (!Object.hasOwn(workflows, name)) {
    throw new Problem("not_found", `There is no workflow "${name}"; there is ${Object.keys(workflows).join(", ")}.`);
  }
  return describeWorkflow(workflows[name]!);
}
