import type { ResolvedModels } from "#llm";
import type { Services } from "../services";
import type { ArtifactMetadata } from "#store/artifacts";
import { modelsOf } from "./present-run";
import { findRun } from "./find-run";

/** What one action was done with: acts that share action, role and prompt. */
export interface ManifestAction {
  action: string;
  role: string;
  /** null when no model was asked: a person's words, a drawing. */
  prompt_hash: string | null;
  code_versions: string[];
  models: string[];
  rungs: string[];
  parameters: Record<string, unknown>[];
  acts: number;
  repairs: number;
  artifacts: string[];
}

export interface Manifest {
  object: "manifest";
  run_id: string;
  workflow: string;
  workflow_version: number;
  /** Of the code that did the last act; the running one's while nothing is done, or where it was not kept. */
  code_version: string;
  models: ResolvedModels;
  actions: ManifestAction[];
}

/** What a run was made with, so that it can be made again: code, prompts, models and parameters as they were resolved. */
export async function getManifest(services: Services, tenant: string, id: string): Promise<Manifest> {
  const run = await findRun(services, tenant, id);
  const artifacts = await services.store.artifacts.provenance(run.id);
  const groups = Map.groupBy(artifacts, (row) => JSON.stringify([row.action, row.role, row.prompt_hash]));
  return {
    object: "manifest",
    run_id: run.id,
    workflow: run.workflow,
    workflow_version: run.workflow_version,
    code_version: artifacts.at(-1)?.code_version ?? services.settings.version,
    models: modelsOf(run),
    actions: [...groups.values()].map(summarize),
  };
}

function summarize(rows: ArtifactMetadata[]): ManifestAction {
  const { action, role, prompt_hash } = rows[0]!;
  const distinct = (column: "code_version" | "model" | "rung" | "parameters") => [
    ...new Set(rows.flatMap((row) => row[column] ?? [])),
  ];
  return {
    action,
    role,
    prompt_hash,
    code_versions: distinct("code_version"),
    models: distinct("model"),
    rungs: distinct("rung"),
    parameters: distinct("parameters").map((text) => JSON.parse(text)),
    acts: rows.length,
    repairs: rows.reduce((sum, row) => sum + row.repairs, 0),
    artifacts: rows.map((row) => row.id),
  };
}
