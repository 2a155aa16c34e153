import type { InteractionRow } from "#store/rows";
import { type AboutColumns, aboutOf } from "../fields/about";
import { toTime, toTimeOrNull } from "../fields/time";
import type { PresentedInteraction } from "./schema";
import { Problem } from "#core/errors";
import type { CallbackLink } from "#core/secrets";
import type { Services } from "../services";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import type { InteractionFilter } from "#store/interactions";
import type { PageRequest } from "../fields/page-request";

/**
 * @param run the interaction's
 * @param callback_url the capability to answer; null for keys that may not write runs
 */
export function presentInteraction(
  row: InteractionRow,
  run: AboutColumns,
  callback_url: string | null,
): PresentedInteraction {
  return {
    object: "interaction",
    id: row.id,
    run_id: row.run_id,
    ...aboutOf(run),
    kind: row.kind,
    status: row.withdrawn ? "withdrawn" : row.status,
    stage: row.stage,
    prompt: row.prompt,
    artifacts: JSON.parse(row.artifacts),
    questions: JSON.parse(row.questions),
    answer_schema: JSON.parse(row.answer_schema),
    answer: row.answer === null ? null : JSON.parse(row.answer),
    answered_by: row.answered_by,
    assignee: assigneeOf(row),
    callback_url,
    expires_at: toTime(row.expires_at),
    on_expiry: row.on_expiry,
    created_at: toTime(row.created_at),
    answered_at: row.status === "answered" ? toTimeOrNull(row.settled_at) : null,
  };
}

const assigneeOf = ({ assignee_name: name, assignee_email: email }: InteractionRow) =>
  name === null && email === null ? null : { name, email };

/** Where an interaction is answered without an API key. `origin` is the run's: PUBLIC_URL, else where it was created. */
export const callbackUrl = (origin: string, token: string): string => `${origin}/v1/callbacks/${token}`;

/** A viewer who may answer is shown the callback URL, which is enough to answer. */
export interface Viewer {
  may_answer: boolean;
}

/** @throws Problem `not_found` when its run was deleted a moment ago */
export async function showInteraction(
  services: Services,
  row: InteractionRow,
  viewer: Viewer,
): Promise<PresentedInteraction> {
  const [interaction] = await showInteractions(services, [row], viewer);
  if (!interaction) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  return interaction;
}

/** Leaves out interactions whose run was deleted a moment ago. */
export async function showInteractions(
  services: Services,
  rows: readonly InteractionRow[],
  viewer: Viewer,
): Promise<PresentedInteraction[]> {
  const runs = await services.store.runs.summaries(rows.map((row) => row.run_id));
  return rows.flatMap((row) => {
    const run = runs.get(row.run_id);
    if (!run) return [];
    return [presentInteraction(row, run, viewer.may_answer ? callbackOf(services, row, run.origin) : null)];
  });
}

/** @param origin the run's */
export const callbackOf = (
  { secrets }: Pick<Services, "secrets">,
  { id, link }: CallbackLink,
  origin: string,
): string => callbackUrl(origin, secrets.callbackToken(id, link));

export type { CallbackLink } from "#core/secrets";
export type { InteractionRow } from "#store/rows";

/** The owner's interaction with this id. @throws Problem `not_found` */
export async function findInteraction(services: Services, owner: Owner, id: string): Promise<InteractionRow> {
  const row = await services.store.interactions.get(id);
  if (row?.tenant_id !== owner.tenant_id || row.mode !== owner.mode) throw noSuchInteraction(id);
  return row;
}

/** What an interaction is now. @throws Problem `not_found` when it was deleted meanwhile */
export async function readAgain({ store }: Pick<Services, "store">, { id }: InteractionRow): Promise<InteractionRow> {
  const current = await store.interactions.get(id);
  if (!current) throw noSuchInteraction(id);
  return current;
}

export const noSuchInteraction = (id: string) => new Problem("not_found", `There is no interaction ${id}.`);

/** The link that the token of a callback URL is; null when the token is not valid. */
export const linkOfToken = ({ secrets }: Services, token: string): CallbackLink | null => secrets.linkOf(token);

/**
 * The interaction of a callback URL.
 * @param link null when the token of the URL is not valid
 * @throws Problem `not_found`, `link_replaced`
 */
export async function findForCallback(services: Services, link: CallbackLink | null): Promise<InteractionRow> {
  const row = link === null ? null : await services.store.interactions.get(link.id);
  if (!row) throw new Problem("not_found", "This callback URL opens nothing: it was altered, or its run was deleted.");
  if (row.link !== link!.link) throw linkReplaced();
  return row;
}

export const linkReplaced = () =>
  new Problem("link_replaced", "The question was addressed to somebody else, who has another link.");

/** Newest first. */
export async function listInteractions(
  services: Services,
  { owner, filter, limit, after, viewer }: PageRequest & { filter: InteractionFilter; viewer: Viewer },
): Promise<Page<PresentedInteraction>> {
  const { rows, next } = await services.store.interactions.list(owner, filter, limit, after);
  return { rows: await showInteractions(services, rows, viewer), next };
}

/**
 * An interaction past its deadline may still be stored as `open`, until the maintenance worker closes it.
 * @throws Problem `interaction_canceled`, `interaction_withdrawn`, `interaction_expired` when it ended without an answer
 */
export function assertNotClosed(row: InteractionRow): void {
  if (row.status === "canceled")
    throw new Problem("interaction_canceled", "The run has ended and waits for no answer.");
  if (row.withdrawn) throw new Problem("interaction_withdrawn", "The run has continued without an answer.");
  if (row.status === "expired" || (row.status === "open" && row.expires_at <= Date.now()))
    throw new Problem("interaction_expired", `It could be answered until ${toTime(row.expires_at)}.`);
}
