import { Problem } from "#core/errors";
import type { PresentedInteraction } from "./schema";
import type { Services } from "../services";
import type { ArtifactRow, InteractionRow, RunRow } from "#store/rows";
import { formFields, isRecord, type NamedField } from "./form-fields";
import { presentInteraction } from "./present-interaction";
import { callbackOf } from "./show-interaction";

/** What a callback URL shows to a person: this interaction and its artifacts, nothing else of the run. */
export interface PersonView {
  interaction: PresentedInteraction;
  fields: NamedField[];
  /** True while it accepts an answer. The stored status may still be `open` after the expiry, until the keeper settles it. */
  open: boolean;
  /** Title of the workflow. */
  workflow: string;
  /** The language tag of the run's input, if it has one. */
  language: string | null;
  artifacts: ShownArtifact[];
}

export interface ShownArtifact extends Pick<
  ArtifactRow,
  "id" | "kind" | "subject" | "version" | "role" | "media_type"
> {
  text: string;
}

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** @throws Problem `not_found` when the run was deleted a moment ago */
export async function showToPerson(services: Services, row: InteractionRow): Promise<PersonView> {
  const { store, workflows } = services;
  const run = await store.runs.get(row.tenant_id, row.run_id);
  if (!run) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  const [input, artifacts] = await Promise.all([store.runs.input(run), artifactsOf(services, row, run)]);
  return {
    interaction: presentInteraction(row, run, callbackOf(services, row, run.origin)),
    fields: formFields(row),
    open: row.status === "open" && row.expires_at > Date.now(),
    workflow: workflows[run.workflow]?.title ?? run.workflow,
    language: languageOf(input),
    artifacts,
  };
}

/** The artifacts that an interaction is about, in its order. */
export async function artifactsOf(
  { store, workflows }: Services,
  row: Pick<InteractionRow, "run_id" | "artifacts">,
  run: Pick<RunRow, "workflow">,
): Promise<ShownArtifact[]> {
  const ids = JSON.parse(row.artifacts) as string[];
  if (ids.length === 0) return [];
  const rows = await store.artifacts.getMany(row.run_id, ids);
  const found = ids.flatMap((id) => rows.find((artifact) => artifact.id === id) ?? []);
  const actions = workflows[run.workflow]?.actions ?? [];
  const hiddenIn = (kind: string) =>
    actions.filter((action) => action.kind === kind).flatMap(({ hidden = [] }) => hidden);
  return Promise.all(
    found.map(async ({ id, kind, subject, version, role, media_type, ...stored }) => ({
      id,
      kind,
      subject,
      version,
      role,
      media_type,
      text: withoutHidden(await store.artifacts.content(stored), hiddenIn(kind)),
    })),
  );
}

/** A JSON text without the properties that the workflow hides from people. */
function withoutHidden(text: string, hidden: readonly string[]): string {
  if (hidden.length === 0) return text;
  const shown = Object.entries(JSON.parse(text) as object).filter(([name]) => !hidden.includes(name));
  return JSON.stringify(Object.fromEntries(shown));
}

const languageOf = (input: unknown): string | null =>
  isRecord(input) && typeof input.language === "string" && LANGUAGE_TAG.test(input.language) ? input.language : null;
