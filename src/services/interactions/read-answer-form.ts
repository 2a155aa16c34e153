import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import { sameAnswer } from "./read-answer";
import { readForm, type ReadForm } from "./read-form";
import { artifactsOf, type ShownArtifact } from "./show-to-person";

/**
 * Reads the form that answers an interaction. A page shows the artifact for editing and so always sends it: what was not changed is
 * no edit.
 */
export async function readAnswerForm(
  services: Services,
  row: InteractionRow,
  form: URLSearchParams,
): Promise<ReadForm> {
  const read = readForm(row, form);
  const { edited_content: edited, ...rest } = read.body;
  if (edited === undefined) return read;
  const artifacts = await artifactsOf(services, row);
  return artifacts.some((artifact) => isUnchanged(artifact, edited)) ? { ...read, body: rest } : read;
}

function isUnchanged({ media_type, text }: ShownArtifact, edited: unknown): boolean {
  if (media_type === "application/json") return sameAnswer(JSON.parse(text), edited);
  return typeof edited === "string" && asTyped(text) === asTyped(edited);
}

/** A text as it comes back from a box of a browser that nobody typed into. */
const asTyped = (text: string) => text.replaceAll(/\r\n?/g, "\n");
