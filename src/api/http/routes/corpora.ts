import { createRoute, z } from "@hono/zod-openapi";
import { createCorpus } from "#services/corpora/create-corpus";
import { deleteCorpus } from "#services/corpora/delete-corpus";
import { getCorpus } from "#services/corpora/get-corpus";
import { listCorpora } from "#services/corpora/list-corpora";
import { searchSchema } from "#services/corpora/requests";
import { corpusSchema, searchResultSchema } from "#services/corpora/schema";
import { searchCorpus } from "#services/corpora/search-corpus";
import { updateCorpus } from "#services/corpora/update-corpus";
import { idPattern } from "#core/ids";
import { newRouter } from "../context";
import { answerCreated } from "../under-key";
import { EXAMPLE_CORPUS, EXAMPLE_CREATE_CORPUS, EXAMPLE_SEARCH } from "../examples";
import { jsonBody, readJson } from "../middleware/body";
import {
  BODY,
  created,
  errors,
  json,
  jsonRequest,
  KEYED,
  LIST,
  needs,
  QUERY,
  referredRequest,
  requestIdHeader,
  scopeNote,
} from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const corpora = newRouter();

const tags = ["Corpora"];
const params = z.object({ id: pathId("cor") });

corpora.openapi(
  createRoute({
    method: "post",
    path: "/v1/corpora",
    operationId: "createCorpus",
    tags,
    summary: "Create a corpus",
    description: `It has the key's mode: passages in the corpus of a test key get rehearsed vectors. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { query: NO_QUERY, body: referredRequest("CreateCorpus", EXAMPLE_CREATE_CORPUS) },
    responses: {
      201: created(corpusSchema, "corpus", EXAMPLE_CORPUS),
      ...errors(...KEYED, ...QUERY, ...BODY, "unknown_provider", "provider_key_required"),
    },
  }),
  async (c) => {
    const { services, key: owner } = c.var;
    const body = await readJson(c);
    return answerCreated(c, "/v1/corpora", (settle) => createCorpus(services, { owner, body, settle }));
  },
);

corpora.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora",
    operationId: "listCorpora",
    tags,
    summary: "List corpora",
    description: `Newest first. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      query: z.strictObject(pageQuery),
    },
    responses: {
      200: jsonPage("CorpusPage", corpusSchema, "corpora", EXAMPLE_CORPUS),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const page = await listCorpora(c.var.services, {
      owner: c.var.key,
      limit,
      after: readCursor("corpora", idPattern("cor"), cursor),
    });
    return c.json(toAnswer("corpora", page), 200);
  },
);

corpora.openapi(
  createRoute({
    method: "get",
    path: "/v1/corpora/{id}",
    operationId: "getCorpus",
    tags,
    summary: "Read a corpus",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: { 200: json(corpusSchema, "The corpus.", EXAMPLE_CORPUS), ...errors(...KEYED, ...QUERY, "not_found") },
  }),
  async (c) => c.json(await getCorpus(c.var.services, c.var.key, c.req.valid("param").id), 200),
);

corpora.openapi(
  createRoute({
    method: "patch",
    path: "/v1/corpora/{id}",
    operationId: "updateCorpus",
    tags,
    summary: "Change a corpus",
    description: `Each given field replaces the stored one. Existing documents keep their language; the embedding model cannot be changed. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: { params, query: NO_QUERY, body: referredRequest("UpdateCorpus", { description: "As of 2018." }) },
    responses: {
      200: json(corpusSchema, "The corpus.", EXAMPLE_CORPUS),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await updateCorpus(c.var.services, { owner: c.var.key, id, body: await readJson(c) }), 200);
  },
);

corpora.openapi(
  createRoute({
    method: "delete",
    path: "/v1/corpora/{id}",
    operationId: "deleteCorpus",
    tags,
    summary: "Delete a corpus",
    description: `With its documents, uploads and vectors. It can no longer be searched; runs keep the passages that they have retrieved. ${scopeNote("runs:write")}`,
    ...needs("runs:write"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "Deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    await deleteCorpus(c.var.services, c.var.key, c.req.valid("param").id);
    return c.body(null, 204);
  },
);

corpora.openapi(
  createRoute({
    method: "post",
    path: "/v1/corpora/{id}/search",
    operationId: "searchCorpus",
    tags,
    summary: "Search a corpus",
    description: `The passages that match a query best, as a run would retrieve them: ranked by words (BM25), and if the corpus has vectors also by these, fused by rank. With up to 20,000 passages every vector is compared; in larger corpora only the vectors of passages found by words, unless Vectorize stores the vectors. ${scopeNote("runs:read")}`,
    ...needs("runs:read", jsonBody()),
    request: {
      params,
      query: NO_QUERY,
      body: jsonRequest(searchSchema.meta({ id: "SearchCorpus" }), { query: "Which sanctions are there?", limit: 5 }),
    },
    responses: {
      200: json(searchResultSchema, "The passages, best first.", EXAMPLE_SEARCH),
      ...errors(
        ...KEYED,
        ...QUERY,
        ...BODY,
        "not_found",
        "no_vectors",
        "provider_key_required",
        "provider_key_unreadable",
        "provider_rate_limited",
        "provider_unavailable",
        "provider_unreachable",
        "provider_timeout",
        "provider_refused_request",
      ),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const found = await searchCorpus(c.var.services, { owner: c.var.key, id, request: c.req.valid("json") });
    return c.json(found, 200);
  },
);
