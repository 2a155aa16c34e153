/** Runs and their artifacts as resources. */
import { type Resource, ResourceNotFoundError, type ResourceTemplateType } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { PresentedRunEntry } from "#services/runs/schema";
import { operate, type OperationRequest, OperationError, refusalOf, type Send } from "../in-process/operations";
import { parse } from "../in-process/runs";

const JSON_TYPE = "application/json";

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  { uriTemplate: "parley://runs/{run_id}", name: "run", title: "A run", mimeType: JSON_TYPE },
  {
    uriTemplate: "parley://runs/{run_id}/artifacts",
    name: "artifacts",
    title: "The first hundred artifacts of a run, without their contents",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: "parley://runs/{run_id}/artifacts/{artifact_id}",
    name: "artifact",
    title: "The content of an artifact",
  },
];

const pageSchema = z.looseObject({ cursor: z.string().optional() });

/** The runs, newest first. */
export async function listResources(send: Send, params: unknown) {
  const { cursor } = parse(pageSchema, params);
  const query = new URLSearchParams({ limit: "50", ...(cursor !== undefined && { cursor }) });
  const { data, next_cursor } = await operate(send, { method: "GET", path: `/v1/runs?${query}` });
  const resources = (data as PresentedRunEntry[]).map(({ id, workflow, status }): Resource => ({
    uri: `parley://runs/${id}`,
    name: id,
    title: `${workflow}, ${status}`,
    mimeType: JSON_TYPE,
  }));
  return { resources, ...(next_cursor !== null && { nextCursor: next_cursor as string }) };
}

const URI = /^parley:\/\/runs\/(run_\w+)(?:\/(artifacts)(?:\/(art_\w+))?)?$/;

export async function readResource(send: Send, params: unknown) {
  const { uri } = parse(z.looseObject({ uri: z.string() }), params);
  const [found, run, artifacts, artifact] = URI.exec(uri) ?? [];
  if (!found) throw notFound(uri);
  const path = `/v1/runs/${run}`;
  const at = artifact ? `${path}/artifacts/${artifact}/content` : artifacts ? `${path}/artifacts?limit=100` : path;
  const response = await answered(send, { method: "GET", path: at }, uri);
  const mimeType = response.headers.get("Content-Type")?.split(";")[0] ?? JSON_TYPE;
  return { contents: [{ uri, mimeType, text: await response.text() }] };
}

async function answered(send: Send, request: OperationRequest, uri: string): Promise<Response> {
  const response = await send(request);
  if (response.ok) return response;
  const refusal: OperationError = await refusalOf(response);
  throw refusal.problem.status === 404 ? notFound(uri) : refusal;
}

const notFound = (uri: string) =>
  new ResourceNotFoundError(
    uri,
    "There is no such resource for this key. Resources are listed by resources/list, and a run's artifacts by parley://runs/{run_id}/artifacts.",
  );
