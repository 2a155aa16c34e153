import type { Owner } from "#core/owner";
import { addUsage, parseModels } from "#llm";
import { usageOf } from "../fields/usage";
import type { Services } from "../services";
import type { ArtifactMetadata } from "#store/artifacts";
import type { Manifest, ManifestAction } from "./artifact-schema";
import { findRun } from "./runs";

/** Everything needed to repeat a run: code, prompts, models and parameters as they were resolved. */
export async function getManifest(services: Services, owner: Owner, id: string): Promise<Manifest> {
  const run = await findRun(services, owner, id);
  const artifacts = await services.store.artifacts.provenance(run.id);
  const groups = Map.groupBy(artifacts, (row) => JSON.stringify([row.action, row.role, row.prompt_hash]));
  return {
    object: "manifest",
    run_id: run.id,
    workflow: run.workflow,
    workflow_version: run.workflow_version,
    code_version: artifacts.at(-1)?.code_version ?? services.settings.version,
    models: parseModels(run.models),
    actions: [...groups.values()].map(summarize),
    notes: droppedNotes(artifacts, (await services.store.runs.options(run)).profile === "paper"),
    usage_by_action: usageBy("action", artifacts).map(({ name, ...used }) => ({ action: name, ...used })),
    usage_by_model: usageBy("model", artifacts).map(({ name, ...used }) => ({ model: name, ...used })),
  };
}

/** Usage of the steps that asked a model, in the order of their first steps. */
function usageBy(column: "action" | "model", artifacts: ArtifactMetadata[]) {
  const asked = artifacts.filter((row) => row.llm_calls > 0 && row[column] !== null);
  return [...Map.groupBy(asked, (row) => row[column]!)].map(([name, rows]) => ({
    name,
    steps: rows.length,
    usage: rows.map(usageOf).reduce(addUsage),
  }));
}

function summarize(rows: ArtifactMetadata[]): ManifestAction {
  const { action, role, prompt_hash } = rows[0]!;
  const distinct = (column: "code_version" | "model" | "output_mode" | "response_model") => [
    ...new Set(rows.flatMap((row) => row[column] ?? [])),
  ];
  const sum = (column: "repairs" | "tries") => rows.reduce((total, row) => total + row[column], 0);
  return {
    action,
    role,
    prompt_hash,
    code_versions: distinct("code_version"),
    models: distinct("model"),
    response_models: distinct("response_model"),
    output_modes: distinct("output_mode"),
    parameters: distinctParameters(rows, "parameters"),
    dropped_parameters: distinctParameters(rows, "dropped_parameters"),
    steps: rows.length,
    repairs: sum("repairs"),
    tries: sum("tries"),
    artifacts: rows.map((row) => row.id),
  };
}

/** Without seeds: each step has its own. */
function distinctParameters(
  rows: readonly ArtifactMetadata[],
  column: "parameters" | "dropped_parameters",
): Record<string, unknown>[] {
  const texts = rows.flatMap((row) => {
    const stored = row[column];
    if (stored === null) return [];
    const { seed, ...others } = JSON.parse(stored) as Record<string, unknown>;
    if (column === "parameters") return [JSON.stringify(others)];
    const dropped = seed === undefined ? others : { ...others, seed: "of each step" };
    return Object.keys(dropped).length === 0 ? [] : [JSON.stringify(dropped)];
  });
  return [...new Set(texts)].map((text) => JSON.parse(text));
}

/** A sentence for each role and model with parameters that were not sent. */
function droppedNotes(rows: readonly ArtifactMetadata[], paper: boolean): string[] {
  const groups = Map.groupBy(rows, ({ role, model }) => JSON.stringify([role, model]));
  return [...groups.values()].flatMap((group) => {
    const { role, model } = group[0]!;
    const dropped = distinctParameters(group, "dropped_parameters").flatMap(Object.entries);
    const named = [...new Set(dropped.map(([name, value]) => `${name} ${value}`))];
    if (named.length === 0) return [];
    const departs = paper ? " Under the profile `paper` this departs from the published method." : "";
    return [
      `The role ${role} requests ${named.join(", ")}. ${model} or its API does not support this, so it was not sent.${departs}`,
    ];
  });
}
