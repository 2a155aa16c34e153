// Which method of the Python client sends which operation of the document: by rule, and by name where a rule would read badly.
import { refName, snake } from "./python.mjs";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Operations whose place does not follow from their path. An operation of the client itself has no resource. */
const PLACES = {
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

const OF_COLLECTION = { get: "list", post: "create" };
const OF_ENTRY = { get: "get", patch: "update", put: "put", delete: "delete" };

/** `/v1/runs` and `/v1/runs/{id}` have the usual methods, `POST /v1/runs/{id}/cancel` is `runs.cancel`, and `GET /v1/runs/{id}/events` is `runs.list_events`. */
function placeOf(method, path, operationId) {
  const [resource, ...rest] = path.replace("/v1/", "").split("/").map(snake);
  const last = rest.at(-1);
  // A resource that is there once, such as the tenant's budget, has the methods of an entry.
  const isList = method === "post" || operationId.startsWith("list");
  if (last === undefined) return `${resource}.${(isList ? OF_COLLECTION : OF_ENTRY)[method]}`;
  if (rest.length === 1 && last.startsWith("{") && OF_ENTRY[method]) return `${resource}.${OF_ENTRY[method]}`;
  return `${resource}.${method === "post" && !last.startsWith("{") && last !== "items" ? last : snake(operationId)}`;
}

/** How an answer is read, and its type. */
function answerOf({ operationId, responses }) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const content = success.content ?? {};
  const json = content["application/json"]?.schema;
  if (json) return { kind: operationId.startsWith("list") ? "list" : "json", type: refName(json.$ref) };
  if (content["application/x-ndjson"]) return { kind: "lines" };
  if (content["text/plain"]) return { kind: "text" };
  return { kind: Object.keys(content).length > 0 ? "bytes" : "none" };
}

/** The body of an operation: JSON of a type, or bytes of a media type. */
function bodyOf({ requestBody }) {
  if (!requestBody) return undefined;
  const [[mediaType, first]] = Object.entries(requestBody.content);
  const json = requestBody.content["application/json"]?.schema;
  const isRequired = requestBody.required ?? false;
  if (!json) return { mediaType, isRequired };
  if (!json.$ref) throw new Error(`The body of an operation has no name: ${JSON.stringify(first)}`);
  return refName(json.$ref) === "NoFields" ? undefined : { type: refName(json.$ref), isRequired };
}

/** Types of parameters of a query. */
function parameterType({ type, enum: values }) {
  if (values) return `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
  return { integer: "int", number: "float", boolean: "bool", object: "Mapping[str, str]" }[type] ?? "str";
}

/** The type of a list's entries. */
function entryOf(document, page) {
  const { items } = document.components.schemas[page].properties.data;
  return items.$ref ? refName(items.$ref) : undefined;
}

/** @returns {Map<string, object[]>} operations by resource; those of the client itself under "" */
export function resourcesOf(document) {
  const resources = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((it) => item[it])) {
      const operation = item[method];
      const place = PLACES[operation.operationId] ?? placeOf(method, path, operation.operationId);
      const [name, resource = ""] = place.split(".").toReversed();
      const known = resources.get(resource) ?? [];
      if (known.some((it) => it.name === name)) throw new Error(`Two operations are ${place}: name one in PLACES.`);
      const answer = answerOf(operation);
      const query = (operation.parameters ?? []).filter((it) => it.in === "query");
      known.push({
        name,
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? operation.description ?? operation.operationId,
        path_parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
        query: query.map((it) => ({ name: it.name, type: parameterType(it.schema), isRequired: it.required ?? false })),
        body: bodyOf(operation),
        answer: { ...answer, ...(answer.kind === "list" && { entry: entryOf(document, answer.type) }) },
      });
      resources.set(resource, known);
    }
  }
  return resources;
}
