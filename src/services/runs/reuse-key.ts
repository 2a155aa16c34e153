import { createHash } from "node:crypto";
import { canonicalJson } from "#workflow-kit/canonical-json";
import type { RunRequest } from "./parse-run-request";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

const sha256 = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex");

/** By workflow: the hash of its prompts of both profiles. Prompts are part of the code. */
const hashes = new WeakMap<WorkflowDefinition, string>();

function promptsHash(workflow: WorkflowDefinition): string {
  const known = hashes.get(workflow);
  if (known !== undefined) return known;
  const hash = sha256(workflow.actions.map(({ name, prompt, paper }) => [name, prompt, paper?.prompt ?? null]));
  hashes.set(workflow, hash);
  return hash;
}

/**
 * Equal for two runs of which one can stand for the other: same workflow, version and prompts, same input, options, resolved models with
 * their seeds, limits, settings of test mode, and repetition. SHA-256, hexadecimal.
 */
export function reuseKey({ workflow, request, models }: RunRequest, repetition: number): string {
  const { input, options, limits, test = null } = request;
  const code = [workflow.name, workflow.version, promptsHash(workflow)];
  return sha256([code, input, options, models, limits, test, repetition]);
}
