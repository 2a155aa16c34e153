import { Problem } from "#core/errors";
import { type PresentedInteraction } from "./present-interaction";
import type { Services } from "../services";
import type { ArtifactRow, InteractionRow } from "#store/rows";
import { formFields, isRecord, type NamedField } from "./form-fields";
import { showInteraction } from "./show-interaction";

/** What a person sees who has a callback URL: this interaction and what it is about, nothing else of the run. */
export interface PersonView {
  interaction: PresentedInteraction;
  fields: NamedField[];
  /** True when it takes an answer now; the keeper may not yet have settled what has expired. */
  open: boolean;
  /** What kind of run asks, in words. */
  workflow: string;
  /** A language tag, when the run was told one. */
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
  const [interaction, run, artifacts] = await Promise.all([
    showInteraction(services, row, { may_answer: true }),
    services.store.runs.get(row.tenant_id, row.run_id),
    artifactsOf(services, row),
  ]);
  if (!run) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  return {
    interaction,
    fields: formFields(row),
    open: row.status === "open" && row.expires_at > Date.now(),
    workflow: services.workflows[run.workflow]?.title ?? run.workflow,
    language: languageOf(await services.store.runs.input(run)),
    artifacts,
  };
}

/** The artifacts that an interaction is about, in its order. */
export async function artifactsOf(
  { store, workflows }: Services,
  row: Pick<InteractionRow, "tenant_id" | "run_id" | "artifacts">,
): Promise<ShownArtifact[]> {
  const ids = JSON.parse(row.artifacts) as string[];
  if (ids.length === 0) return [];
  const [rows, run] = await Promise.all([
    store.artifacts.getMany(row.run_id, ids),
    store.runs.get(row.tenant_id, row.run_id),
  ]);
  const found = ids.flatMap((id) => rows.find((artifact) => artifact.id === id) ?? []);
  const actions = workflows[run?.workflow ?? ""]?.actions ?? [];
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

/** A JSON text without what the workflow keeps from people. */
function withoutHidden(text: string, hidden: readonly string[]): string {
  if (hidden.length === 0) return text;
  const shown = Object.entries(JSON.parse(text) as object).filter(([name]) => !hidden.includes(name));
  return JSON.stringify(Object.fromEntries(shown));
}

const languageOf = (input: unknown): string | null =>
  isRecord(input) && typeof input.language === "string" && LANGUAGE_TAG.test(input.language) ? input.language : null;
