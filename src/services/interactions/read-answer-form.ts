import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import { sameAnswer } from "./read-answer";
import { type ParsedForm, readForm } from "./read-form";
import { artifactsOf, type ShownArtifact } from "./shown-artifacts";

/** Reads the form that answers an interaction. The page always sends the artifact that it shows for editing; unchanged, it is no edit. */
export async function readAnswerForm(
  services: Services,
  row: InteractionRow,
  form: URLSearchParams,
): Promise<ParsedForm> {
  const read = readForm(row, form);
  const { edited_content: edited, ...rest } = read.body;
  if (edited === undefined) return read;
  const run = await services.store.runs.get(row, row.run_id);
  const artifacts = run ? await artifactsOf(services, row, run) : [];
  return artifacts.some((artifact) => isUnchanged(artifact, edited)) ? { ...read, body: rest } : read;
}

function isUnchanged({ media_type, text }: ShownArtifact, edited: unknown): boolean {
  if (media_type === "application/json") return sameAnswer(JSON.parse(text), edited);
  return typeof edited === "string" && withLf(text) === withLf(edited);
}

/** Browsers send every line break of a text box as CR LF. */
const withLf = (text: string) => text.replaceAll(/\r\n?/g, "\n");
