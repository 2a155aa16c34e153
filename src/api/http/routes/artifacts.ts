import { createRoute, z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { getArtifact, getArtifactContent } from "#services/runs/get-artifact";
import { getManifest } from "#services/runs/get-manifest";
import { listArtifacts } from "#services/runs/list-artifacts";
import { newRouter } from "../context";
import { EXAMPLE_ARTIFACT, EXAMPLE_MANIFEST } from "../examples";
import { errors, json, KEYED, LIST, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { artifactSchema, artifactWithContentSchema, manifestSchema } from "#services/runs/artifact-schema";
import { pathId } from "../schemas/common";
import { oneRun, runParams } from "./runs";

export const artifacts = newRouter();

const tags = ["Artifacts"];
const artifactParams = z.object({ id: pathId("run"), artifact_id: pathId("art") });
const name = z.string().min(1).max(100).optional();

artifacts.openapi(
  createRoute({
    method: "get",
    path: "/v1/runs/{id}/artifacts",
    operationId: "listArtifacts",
    tags,
    summary: "List a run's artifacts",
    description: `In order of creation, without their contents. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params: runParams, query: z.strictObject({ ...pageQuery, kind: name, stage: name, role: name }) },
    responses: {
      200: jsonPage("ArtifactPage", artifactSchema, "artifacts", EXAMPLE_ARTIFACT),
      ...errors(...KEYED, ...LIST, "not_found"),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const after = readCursor("artifacts", idPattern("art"), cursor);
    const { services, key } = c.var;
    const run = c.req.valid("param").id;
    const page = await listArtifacts(services, { owner: key, run, filter, limit, after });
    return c.json(toAnswer("artifacts", page), 200);
  },
);

artifacts.openapi(
  createRoute({
    method: "get",
    path: "/v1/runs/{id}/artifacts/{artifact_id}",
    operationId: "getArtifact",
    tags,
    summary: "Read an artifact",
    description: `Metadata and content. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params: artifactParams, query: NO_QUERY },
    responses: {
      200: json(artifactWithContentSchema, "The artifact.", { ...EXAMPLE_ARTIFACT, content: "# Requirements draft\n" }),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id: run, artifact_id: id } = c.req.valid("param");
    return c.json(await getArtifact(c.var.services, { owner: c.var.key, run, id }), 200);
  },
);

const contentHeaders = {
  ...requestIdHeader,
  ETag: { description: "SHA-256 of the content.", schema: { type: "string" as const } },
};

artifacts.openapi(
  createRoute({
    method: "get",
    path: "/v1/runs/{id}/artifacts/{artifact_id}/content",
    operationId: "getArtifactContent",
    tags,
    summary: "Read the content of an artifact",
    description: `The raw content with its media type. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      params: artifactParams,
      query: NO_QUERY,
      headers: z.object({
        "if-none-match": z.string().optional().openapi({ description: "ETag of the content that the client has." }),
      }),
    },
    responses: {
      200: {
        description: "The content.",
        headers: contentHeaders,
        content: { "*/*": { schema: { type: "string" as const } } },
      },
      304: { description: "The client has this content already.", headers: contentHeaders },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { id: run, artifact_id: id } = c.req.valid("param");
    const { services, key } = c.var;
    const { media_type, sha256, text } = await getArtifactContent(services, { owner: key, run, id });
    const etag = `"${sha256}"`;
    c.header("ETag", etag);
    c.header("Cache-Control", "private, no-cache");
    if (matches(c.req.header("If-None-Match"), etag)) return c.body(null, 304);
    // A model wrote the content (architecture, law 6): in a browser it may run and load nothing.
    c.header("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'");
    c.header("Content-Type", media_type.startsWith("text/") ? `${media_type}; charset=utf-8` : media_type);
    return c.body(await text(), 200);
  },
);

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or `*`. */
const matches = (header: string | undefined, etag: string) =>
  (header ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));

artifacts.openapi(
  createRoute({
    method: "get",
    path: "/v1/runs/{id}/manifest",
    operationId: "getManifest",
    tags,
    summary: "Read a run's manifest",
    description: `Everything needed to repeat the run: code, prompts, models and parameters as they were resolved. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: oneRun,
    responses: {
      200: json(manifestSchema, "The manifest.", EXAMPLE_MANIFEST),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => c.json(await getManifest(c.var.services, c.var.key, c.req.valid("param").id), 200),
);
