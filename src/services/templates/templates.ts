import { newId } from "#core/ids";
import { type FieldError, Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import type { TemplateRow } from "#store/rows";
import { parseBody, validationProblem, within } from "../fields/field-errors";
import { MAX_METADATA } from "../fields/metadata";
import type { PageRequest } from "../fields/page-request";
import { toTime } from "../fields/time";
import type { Complete, RequestCompletion } from "../idempotency/complete-key";
import { createRun } from "../runs/create-run";
import { parseRunRequest } from "../runs/parse-run-request";
import { collectErrors, type RunCreator } from "../runs/check-run";
import type { PresentedRun } from "../runs/schema";
import type { Services } from "../services";
import { filled, givenValues, type Json, lengthOfFilled, placeholderErrors, sampleValues } from "./fill";
import { createTemplateSchema, type Field, startTemplateSchema, updateTemplateSchema } from "./requests";
import type { PresentedTemplate } from "./schema";

/** The content of a template: the saved request, and the fields to fill. */
interface Saved {
  request: Record<string, unknown>;
  fields: Record<string, Field>;
}

export function presentTemplate(row: TemplateRow): PresentedTemplate {
  const { id, mode, name, description, version, workflow, created_at, updated_at } = row;
  return {
    object: "template",
    id,
    mode,
    name,
    description,
    version,
    workflow,
    ...savedIn(row),
    created_at: toTime(created_at),
    updated_at: toTime(updated_at),
  };
}

const savedIn = ({ request, fields }: Pick<TemplateRow, "request" | "fields">): Saved => ({
  request: JSON.parse(request),
  fields: JSON.parse(fields),
});

/**
 * Saves a request. It is checked as `POST /v1/runs` checks it, with the fields' defaults and examples.
 * @throws Problem with every error of the body; `quota_exceeded`
 */
export async function createTemplate(
  services: Services,
  { owner, body, complete }: { owner: RunCreator; body: unknown; complete?: Complete<PresentedTemplate> | undefined },
): Promise<PresentedTemplate> {
  const { name, description, ...saved } = parseBody(createTemplateSchema, body);
  const now = Date.now();
  const row: TemplateRow = {
    id: newId("tpl"),
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    name,
    description,
    version: 1,
    workflow: await checkedWorkflow(services, owner, saved),
    request: JSON.stringify(saved.request),
    fields: JSON.stringify(saved.fields),
    created_at: now,
    updated_at: now,
  };
  const created = presentTemplate(row);
  await services.store.templates.create(row, complete?.(created));
  return created;
}

/** Entries of metadata that a saved request leaves for the ids of its template and schedule. */
const METADATA_OF_START = 2;

/** The workflow of a saved request. @throws Problem with every error of the request */
async function checkedWorkflow(services: Services, owner: RunCreator, { request, fields }: Saved): Promise<string> {
  const { values, errors } = sampleValues(fields);
  const all: FieldError[] = [...placeholderErrors(request as Json, fields), ...errors];
  if (all.length > 0) throw validationProblem(all);
  assertShort(request, values, "request");
  const body = filled(request as Json, values) as { metadata?: object };
  const most = MAX_METADATA - METADATA_OF_START;
  if (Object.keys(body.metadata ?? {}).length > most)
    throw validationProblem([
      {
        path: "request.metadata",
        code: "custom",
        message: `At most ${most} entries, because runs get template_id and schedule_id.`,
      },
    ]);
  const parsed = await collectErrors(() => parseRunRequest(services, owner, body));
  if (!parsed.value) throw validationProblem(parsed.errors.map((one) => within("request", one)));
  return parsed.value.workflow.name;
}

/** Characters of a request whose fields are filled in, as of one that is sent. */
const MAX_FILLED_LENGTH = 1024 * 1024;

/** @throws Problem when the request is too long with these values, so that nothing of that length is made */
function assertShort(request: object, values: Readonly<Record<string, Json>>, path: string): void {
  if (lengthOfFilled(request as Json, values) <= MAX_FILLED_LENGTH) return;
  const message = "With its fields filled in the request is larger than 1 MiB.";
  throw validationProblem([{ path, code: "custom", message }]);
}

/** The owner's template with this id. @throws Problem `not_found` */
export async function findTemplate({ store }: Pick<Services, "store">, owner: Owner, id: string): Promise<TemplateRow> {
  const template = await store.templates.get(owner, id);
  if (!template) throw new Problem("not_found", `There is no template ${id}.`);
  return template;
}

/** The owner's templates, newest first. */
export async function listTemplates(
  { store }: Services,
  { owner, limit, after }: PageRequest,
): Promise<Page<PresentedTemplate>> {
  const { rows, next } = await store.templates.list(owner, limit, after);
  return { rows: rows.map(presentTemplate), next };
}

/**
 * Changes what the body gives. Runs that were started keep their request; schedules take the new one from their next time on.
 * @throws Problem with every error of the body; `not_found`; `changed_meanwhile`
 */
export async function updateTemplate(
  services: Services,
  { owner, id, body }: { owner: RunCreator; id: string; body: unknown },
  completion?: RequestCompletion,
): Promise<PresentedTemplate> {
  const before = await findTemplate(services, owner, id);
  const { name = before.name, description = before.description, ...change } = parseBody(updateTemplateSchema, body);
  const saved = { ...savedIn(before), ...change };
  const isNew = change.request !== undefined || change.fields !== undefined;
  const row: TemplateRow = {
    ...before,
    name,
    description,
    version: before.version + Number(isNew),
    workflow: isNew ? await checkedWorkflow(services, owner, saved) : before.workflow,
    request: JSON.stringify(saved.request),
    fields: JSON.stringify(saved.fields),
    updated_at: Date.now(),
  };
  if (!(await services.store.templates.update(row, before.version, completion)))
    throw new Problem("changed_meanwhile", `The template ${id} was changed or deleted meanwhile.`);
  return presentTemplate(row);
}

/** @throws Problem `not_found`; `template_in_use` while schedules use it */
export async function deleteTemplate(
  { store }: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  await findTemplate({ store }, owner, id);
  if (await store.templates.remove(owner, id, completion)) return;
  const { rows } = await store.schedules.list(owner, { template_id: id }, 20, null);
  const users = rows.map((schedule) => schedule.id).join(", ");
  if (users) throw new Problem("template_in_use", `The template ${id} is used by ${users}.`);
  throw new Problem("not_found", `There is no template ${id}.`);
}

/** Errors of values for a template's fields; none: a run can be started with them as far as the fields say. */
export const valueErrors = (template: TemplateRow, values: Record<string, unknown>): FieldError[] =>
  givenValues(values as Record<string, Json>, savedIn(template).fields).errors;

/** The request with further metadata; metadata of another type stay, and are an error of the request. */
function withMetadata(request: Json, more: Record<string, string>): unknown {
  const { metadata = {} } = request as { metadata?: Json };
  const isRecord = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  return isRecord ? { ...(request as object), metadata: { ...metadata, ...more } } : request;
}

/** The body of `POST /v1/runs` that a template makes of values for its fields. @throws Problem with the errors of the values */
export function requestFrom(
  template: TemplateRow,
  given: Record<string, unknown>,
  more: Record<string, string>,
): unknown {
  const { request, fields } = savedIn(template);
  const { values, errors } = givenValues(given as Record<string, Json>, fields);
  if (errors.length > 0) throw validationProblem(errors);
  assertShort(request, values, "fields");
  return withMetadata(filled(request as Json, values), { template_id: template.id, ...more });
}

/**
 * Starts a run from a template. Its metadata names the template.
 * @throws Problem as `createRun` does, with every error of the values
 */
export async function startTemplate(
  services: Services,
  given: {
    owner: RunCreator;
    id: string;
    origin: string;
    body: unknown;
    complete?: Complete<PresentedRun> | undefined;
  },
): Promise<PresentedRun> {
  const { owner, id, origin, body, complete } = given;
  const template = await findTemplate(services, owner, id);
  const { fields } = parseBody(startTemplateSchema, body ?? {});
  return createRun(services, { owner, origin, body: requestFrom(template, fields, {}), complete });
}
