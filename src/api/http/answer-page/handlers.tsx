import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, Problem } from "#core/errors";
import { answerInteraction } from "#services/interactions/answer-interaction";
import { readAnswerForm } from "#services/interactions/read-answer-form";
import { writtenUnderKey } from "../under-key";
import { findInteraction, type InteractionRow } from "#services/interactions/interactions";
import { showToPerson } from "#services/interactions/show-to-person";
import type { AppContext } from "../context";
import { ADD, entriesAround, REMOVE } from "./controls";
import { ClosedPage, OpenPage, type Sent } from "./page";
import { servePage } from "./serve";

/** The page of an interaction, open or closed. */
export async function showPage(c: AppContext, row: InteractionRow): Promise<Response> {
  const view = await showToPerson(c.var.services, row);
  return servePage(
    c,
    view.open ? <OpenPage view={view} zone={zoneOf(c)} /> : <ClosedPage view={view} zone={zoneOf(c)} />,
    200,
  );
}

/**
 * Takes the answer of the page's form. On errors the page shows them and keeps everything that was typed; an answer that came too late is
 * shown beside the answer that counts.
 */
export async function answerOnPage(c: AppContext, row: InteractionRow, form: URLSearchParams): Promise<Response> {
  const { services } = c.var;
  const adding = form.get(ADD);
  const answer = await readAnswerForm(services, row, withoutRemoved(form));
  const { body } = answer;
  if (adding !== null) {
    const view = await showToPerson(services, row);
    if (view.open)
      return servePage(c, <OpenPage view={view} draft={{ body, errors: [], adding }} zone={zoneOf(c)} />, 200);
  }
  try {
    await answerInteraction(services, row, { ...answer, link: row.link }, writtenUnderKey(c, row.id));
    return await closed(c, row, { body, taken: true }, 200);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status } = ERRORS[error.code];
    if (status === 404 || error.code === "link_replaced") throw error;
    if (status !== 422) return closed(c, row, { body, taken: false }, status);
    const view = await showToPerson(services, row);
    return servePage(
      c,
      <OpenPage view={view} draft={{ body, errors: error.errors, adding: null }} zone={zoneOf(c)} />,
      status,
    );
  }
}

/** The fields to read: without the page's own, and without the entries of lists whose box for removal was checked. */
function withoutRemoved(form: URLSearchParams): URLSearchParams {
  const removed = new Set(form.getAll(REMOVE));
  return new URLSearchParams(
    [...form].filter(
      ([name]) => name !== ADD && name !== REMOVE && !entriesAround(name).some((entry) => removed.has(entry)),
    ),
  );
}

/** The page of an interaction after an answer, read again. */
async function closed(c: AppContext, row: InteractionRow, sent: Sent, status: ContentfulStatusCode): Promise<Response> {
  const { services } = c.var;
  const current = await findInteraction(services, row, row.id);
  return servePage(c, <ClosedPage view={await showToPerson(services, current)} sent={sent} zone={zoneOf(c)} />, status);
}

/** The time zone of the reader, as Cloudflare knows it by the address. */
const zoneOf = (c: AppContext): string | null => {
  const zone = (c.req.raw.cf as { timezone?: unknown } | undefined)?.timezone;
  return typeof zone === "string" ? zone : null;
};
