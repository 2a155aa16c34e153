import { log } from "#core/log";
import type { RunRow } from "#store/rows";
import type { Presentation } from "#workflow-kit/presentation";
import type { Services } from "../services";
import type { ShownArtifact } from "./shown-artifacts";

/** Earlier artifacts that a presentation may draw on; older ones are left out. */
const MAX_EARLIER = 100;

/**
 * The presentation of an artifact by its workflow's presenter; empty for a kind without one. A person may have edited the content, or an older
 * version have written it: what a presenter cannot read is shown as it is.
 */
export async function presentArtifact(
  { store, workflows }: Services,
  run: RunRow,
  input: unknown,
  { id, kind, subject, media_type, text }: ShownArtifact,
): Promise<Presentation> {
  const presenter = workflows[run.workflow]?.presenters?.[kind];
  if (!presenter || media_type !== "application/json") return {};
  const { refers_to } = presenter;
  const rows = refers_to.length ? await store.artifacts.earlier(run.id, id, refers_to, MAX_EARLIER) : [];
  const earlier = await Promise.all(
    rows.map(async (row) => ({ ...row, content: JSON.parse(await store.artifacts.content(row)) })),
  );
  const options = await store.runs.options(run);
  try {
    return presenter.present(JSON.parse(text), { input, options, subject, earlier });
  } catch (error) {
    log.warn("an artifact could not be presented, and is shown as it is", { run_id: run.id, artifact: id, error });
    return {};
  }
}
