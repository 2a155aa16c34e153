import type { Json } from "../../scripts/lib/json.ts";
import type { Scenario } from "./scenarios.ts";
import type { RunRecord } from "./runs.ts";
import { type Evidence, numbersEvents, paysOnce } from "./laws.ts";
import type { Outages } from "../lib/client.ts";

/** Runs that start runs: the data set of an experiment, and the laws of a tree. */

/**
 * Stores the data set of a scenario, and returns the input with its id.
 * @param post returns the answer's body
 */
export async function inputOf(
  { input, dataset }: Scenario,
  post: (path: string, request: { body?: object; text?: string }) => Promise<Json>,
) {
  if (!dataset) return input;
  const { id } = await post("/v1/datasets", { body: { name: "Offers", workflow: dataset.workflow } });
  await post(`/v1/datasets/${id}/items`, { text: dataset.items.map((item) => `${JSON.stringify(item)}\n`).join("") });
  await post(`/v1/datasets/${id}/close`, {});
  return { ...input, dataset_id: id };
}

/** How many runs a scenario's run starts. */
const trialsIn = ({ input, options, dataset }: Scenario): number =>
  dataset ? dataset.items.length * (input.variants as unknown[]).length * Number(options.repetitions) : 0;

/**
 * Every trial is one child, has ended well, and is scored once; the law of each run holds for each child.
 * @param record of the parent
 * @param evidence of the parent, with that of its children
 */
export function keepsChildren(record: RunRecord, { run, children }: Evidence, outages: Outages) {
  const { scenario } = record.plan;
  const planned = trialsIn(scenario);
  if (children.length !== planned) return [`it has ${children.length} children instead of ${planned}`];
  if (planned === 0) return [];
  return [
    ...children.flatMap((child) => judgeChild(record, child, outages)),
    ...(run.status === "completed" ? judgeScores(run, children, planned) : []),
  ];
}

function judgeChild(record: RunRecord, child: Evidence, outages: Outages) {
  const { run, artifacts, events } = child;
  const steps = artifacts.map(({ step }) => step);
  return [
    ...(run.status === "completed" ? [] : [`it is ${run.status}`]),
    ...(new Set(steps).size < steps.length ? [`artifacts are doubled: ${steps}`] : []),
    ...(events.filter(({ type }) => type === "run.artifact_created").length === steps.length
      ? []
      : [`its ${steps.length} artifacts have another number of events`]),
    ...numbersEvents(record, child),
    ...paysOnce(record, child, outages),
  ].map((violation) => `its child ${run.id}: ${violation}`);
}

function judgeScores({ output, children: counts }: Json, children: Evidence[], planned: number) {
  const violations: string[] = [];
  const { trials, documents } = output;
  if (trials.planned !== planned || trials.completed !== planned)
    violations.push(`${planned} trials were run, and the report counts ${JSON.stringify(trials)}`);
  if (counts.total !== planned || counts.completed !== planned)
    violations.push(`its ${planned} children are counted as ${JSON.stringify(counts)}`);
  const scored = documents.ndjson.text
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  const names = new Set(scored.map(({ variant, item, repetition }: Json) => `${variant}/${item}/${repetition}`));
  const runs = new Set(scored.map(({ run_id }: Json) => run_id));
  if (scored.length !== planned || names.size !== planned)
    violations.push(`${names.size} of ${planned} trials are scored, on ${scored.length} lines`);
  if (children.some((child) => !runs.has(child.run.id))) violations.push("a child is not the run of any scored trial");
  return violations;
}
