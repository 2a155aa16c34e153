import type { ArtifactRow, InteractionRow, RunRow } from "#store/rows";
import type { Services } from "../services";

/** An artifact as people may read it. */
export interface ShownArtifact extends Pick<
  ArtifactRow,
  "id" | "kind" | "subject" | "version" | "role" | "media_type"
> {
  text: string;
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
