import type { DocumentReference } from "#workflow-kit/artifact";
import type { Services } from "../services";

type Filled = DocumentReference & { media_type: string; text: string };

/** Adds media type and text to every document reference of an output. */
export async function fillDocuments(
  { store }: Services,
  run: string,
  output: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const ids = new Set<string>();
  replaceReferences(output, (reference) => (ids.add(reference.artifact_id), reference));
  const rows = await store.artifacts.getMany(run, [...ids]);
  const filled = await Promise.all(
    rows.map(
      async (row) => [row.id, { media_type: row.media_type, text: await store.artifacts.content(row) }] as const,
    ),
  );
  const contents = new Map(filled);
  return replaceReferences(
    output,
    (reference) => ({ ...reference, ...contents.get(reference.artifact_id)! }) satisfies Filled,
  ) as Record<string, unknown>;
}

function replaceReferences(value: unknown, replace: (reference: DocumentReference) => DocumentReference): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceReferences(item, replace));
  if (isReference(value)) return replace(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceReferences(inner, replace)]));
}

/** The shape of `documentSchema` in the workflow kit. */
const isReference = (value: object): value is DocumentReference =>
  "artifact_id" in value && typeof value.artifact_id === "string" && "kind" in value && typeof value.kind === "string";
