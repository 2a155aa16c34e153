import { z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { artifactSchema, artifactWithContentSchema, manifestSchema } from "#services/runs/artifact-schema";
import { getArtifact, getArtifactContent, listArtifacts } from "#services/runs/artifacts";
import { getManifest } from "#services/runs/get-manifest";
import { Router } from "../context";
import { EXAMPLE_ARTIFACT, EXAMPLE_MANIFEST } from "../examples";
import { keyedRoute, listRoute, readRoute } from "../keyed-routes";
import { json, requestIdHeader } from "../operation";
import { jsonPage, pageQuery } from "../pages";
import { pathId } from "../schemas/common";
import { runParams } from "./runs";

export const artifacts = new Router("Artifacts");

const params = z.object({ id: pathId("run"), artifact_id: pathId("art") });
const name = z.string().min(1).max(100).optional();

listRoute(
  artifacts,
  {
    path: "/v1/runs/{id}/artifacts",
    operationId: "listArtifacts",
    summary: "List a run's artifacts",
    description: "In order of creation, without their contents.",
    scope: "runs:read",
    params: runParams,
    query: z.strictObject({ ...pageQuery, kind: name, stage: name, role: name }),
    cursor: ["artifacts", idPattern("art")],
    answer: jsonPage("ArtifactPage", artifactSchema, "artifacts", EXAMPLE_ARTIFACT),
  },
  ({ services, params: { id: run }, page, filter }) => listArtifacts(services, { ...page, run, filter }),
);

readRoute(
  artifacts,
  {
    path: "/v1/runs/{id}/artifacts/{artifact_id}",
    operationId: "getArtifact",
    summary: "Read an artifact",
    description: "Metadata and content.",
    scope: "runs:read",
    params,
    answer: json(artifactWithContentSchema, "The artifact.", {
      ...EXAMPLE_ARTIFACT,
      content: "# Requirements draft\n",
    }),
  },
  ({ services, owner, params: { id: run, artifact_id: id } }) => getArtifact(services, { owner, run, id }),
);

const contentHeaders = {
  ...requestIdHeader,
  ETag: { description: "SHA-256 of the content.", schema: { type: "string" as const } },
};

keyedRoute(
  artifacts,
  {
    method: "get",
    path: "/v1/runs/{id}/artifacts/{artifact_id}/content",
    operationId: "getArtifactContent",
    summary: "Read the content of an artifact",
    description: "The raw content with its media type.",
    scope: "runs:read",
    params,
    headers: z.object({
      "if-none-match": z.string().optional().openapi({ description: "ETag of the content that the client has." }),
    }),
    responses: {
      200: {
        description: "The content.",
        headers: contentHeaders,
        content: { "*/*": { schema: { type: "string" as const } } },
      },
      304: { description: "The client has this content already.", headers: contentHeaders },
    },
  },
  async ({ c, services, owner, params: { id: run, artifact_id: id } }) => {
    const { media_type, sha256, text } = await getArtifactContent(services, { owner, run, id });
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

readRoute(
  artifacts,
  {
    path: "/v1/runs/{id}/manifest",
    operationId: "getManifest",
    summary: "Read a run's manifest",
    description: "Everything needed to repeat the run: code, prompts, models and parameters as they were resolved.",
    scope: "runs:read",
    params: runParams,
    answer: json(manifestSchema, "The manifest.", EXAMPLE_MANIFEST),
  },
  ({ services, owner, params: { id } }) => getManifest(services, owner, id),
);
