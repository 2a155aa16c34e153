// Which method of the Python client sends which operation of the document: by rule, and by name where a rule would read badly.
import type { Json } from "../lib/json.ts";
import { refName, snake } from "./python.ts";

/** How an answer is read, and the names of its type and of a list's entries. */
export interface Answer {
  kind: "json" | "list" | "lines" | "text" | "bytes" | "none";
  type?: string;
  entry?: string | undefined;
}

/** The body of an operation: JSON of a type, or bytes of a media type. */
export interface Body {
  type?: string;
  mediaType?: string;
  isRequired: boolean;
}

/** A method of the client. */
export interface Operation {
  name: string;
  method: string;
  path: string;
  summary: string;
  path_parameters: string[];
  query: { name: string; type: string; isRequired: boolean }[];
  body: Body | undefined;
  answer: Answer;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Operations whose place does not follow from their path. An operation of the client itself has no resource. */
const PLACES: Record<string, string> = {
  getHealth: "health",
  listArtifacts: "artifacts.list",
  getArtifact: "artifacts.get",
  getArtifactContent: "artifacts.bytes",
  getManifest: "runs.manifest",
  answerCallback: "callbacks.answer",
  addDocuments: "documents.create",
  listDocuments: "documents.list",
  getDocument: "documents.get",
  deleteDocument: "documents.delete",
  getDocumentContent: "documents.text",
  exportDataset: "datasets.export",
  startTemplate: "templates.start",
  revokeKey: "keys.revoke",
  putProviderKey: "providers.put_key",
  deleteProviderKey: "providers.delete_key",
  getTenant: "tenant.get",
  deleteTenant: "tenant.delete",
  getMetrics: "tenant.metrics",
  exportTenant: "tenant.export_part",
};

const OF_COLLECTION: Record<string, string> = { get: "list", post: "create" };
const OF_ENTRY: Record<string, string> = { get: "get", patch: "update", put: "put", delete: "delete" };

/** `/v1/runs` and `/v1/runs/{id}` have the usual methods, `POST /v1/runs/{id}/cancel` is `runs.cancel`, and `GET /v1/runs/{id}/events` is `runs.list_events`. */
function placeOf(method: string, path: string, operationId: string) {
  const [resource = "", ...rest] = path.replace("/v1/", "").split("/").map(snake);
  const last = rest.at(-1);
  // A resource that is there once, such as the tenant's budget, has the methods of an entry.
  const isList = method === "post" || operationId.startsWith("list");
  if (last === undefined) return `${resource}.${(isList ? OF_COLLECTION : OF_ENTRY)[method]}`;
  if (rest.length === 1 && last.startsWith("{") && OF_ENTRY[method]) return `${resource}.${OF_ENTRY[method]}`;
  return `${resource}.${method === "post" && !last.startsWith("{") && last !== "items" ? last : snake(operationId)}`;
}

function answerOf({ operationId, responses }: Json): Answer {
  const [, success] = Object.entries<Json>(responses).find(([status]) => status.startsWith("2")) ?? [];
  const content = success?.content ?? {};
  const json = content["application/json"]?.schema;
  if (json) return { kind: operationId.startsWith("list") ? "list" : "json", type: refName(json.$ref) };
  if (content["application/x-ndjson"]) return { kind: "lines" };
  if (content["text/plain"]) return { kind: "text" };
  return { kind: Object.keys(content).length > 0 ? "bytes" : "none" };
}

function bodyOf({ requestBody }: Json): Body | undefined {
  if (!requestBody) return undefined;
  const [[mediaType, first] = [""]] = Object.entries(requestBody.content);
  const json = requestBody.content["application/json"]?.schema;
  const isRequired = requestBody.required ?? false;
  if (!json) return { mediaType, isRequired };
  if (!json.$ref) throw new Error(`The body of an operation has no name: ${JSON.stringify(first)}`);
  return refName(json.$ref) === "NoFields" ? undefined : { type: refName(json.$ref), isRequired };
}

/** Types of parameters of a query. */
const PARAMETER_TYPES: Record<string, string> = {
  integer: "int",
  number: "float",
  boolean: "bool",
  object: "Mapping[str, str]",
};

function parameterType({ type, enum: values }: Json): string {
  if (values) return `Literal[${values.map((value: unknown) => JSON.stringify(value)).join(", ")}]`;
  return PARAMETER_TYPES[type] ?? "str";
}

/** The type of a list's entries. */
function entryOf(document: Json, page: string) {
  const { items } = document.components.schemas[page].properties.data;
  return items.$ref ? refName(items.$ref) : undefined;
}

/** @returns operations by resource; those of the client itself under "" */
export function resourcesOf(document: Json): Map<string, Operation[]> {
  const resources = new Map<string, Operation[]>();
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    for (const method of METHODS.filter((it) => item[it])) {
      const operation = item[method];
      const place = PLACES[operation.operationId] ?? placeOf(method, path, operation.operationId);
      const [name = "", resource = ""] = place.split(".").toReversed();
      const known = resources.get(resource) ?? [];
      if (known.some((it) => it.name === name)) throw new Error(`Two operations are ${place}: name one in PLACES.`);
      const answer = answerOf(operation);
      const query = (operation.parameters ?? []).filter((it: Json) => it.in === "query");
      known.push({
        name,
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? operation.description ?? operation.operationId,
        path_parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string),
        query: query.map((it: Json) => ({
          name: it.name,
          type: parameterType(it.schema),
          isRequired: it.required ?? false,
        })),
        body: bodyOf(operation),
        answer: { ...answer, ...(answer.kind === "list" && { entry: entryOf(document, answer.type ?? "") }) },
      });
      resources.set(resource, known);
    }
  }
  return resources;
}
