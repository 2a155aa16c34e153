import { z } from "@hono/zod-openapi";
import { createCorpus } from "#services/corpora/create-corpus";
import { deleteCorpus, getCorpus, listCorpora, updateCorpus } from "#services/corpora/corpora";
import { searchSchema } from "#services/corpora/requests";
import { corpusSchema, searchResultSchema } from "#services/corpora/schema";
import { searchCorpus } from "#services/corpora/search-corpus";
import { idPattern } from "#core/ids";
import { Router } from "../context";
import { EXAMPLE_CORPUS, EXAMPLE_CREATE_CORPUS, EXAMPLE_SEARCH } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute, verbRoute } from "../keyed-routes";
import { created, json, jsonRequest, referredRequest } from "../operation";
import { jsonPage } from "../pages";
import { pathId } from "../schemas/common";

export const corpora = new Router("Corpora");

const params = z.object({ id: pathId("cor") });
const answer = json(corpusSchema, "The corpus.", EXAMPLE_CORPUS);

creationRoute(
  corpora,
  {
    path: "/v1/corpora",
    operationId: "createCorpus",
    summary: "Create a corpus",
    description: "It has the key's mode: passages in the corpus of a test key get mock vectors.",
    scope: "runs:write",
    body: referredRequest("CreateCorpus", EXAMPLE_CREATE_CORPUS),
    answer: created(corpusSchema, "corpus", EXAMPLE_CORPUS),
    errors: ["unknown_provider", "provider_key_required"],
  },
  ({ services, owner, body, complete }) => createCorpus(services, { owner, body, complete }),
);

listRoute(
  corpora,
  {
    path: "/v1/corpora",
    operationId: "listCorpora",
    summary: "List corpora",
    description: "Newest first.",
    scope: "runs:read",
    cursor: ["corpora", idPattern("cor")],
    answer: jsonPage("CorpusPage", corpusSchema, "corpora", EXAMPLE_CORPUS),
  },
  ({ services, page }) => listCorpora(services, page),
);

readRoute(
  corpora,
  { path: "/v1/corpora/{id}", operationId: "getCorpus", summary: "Read a corpus", scope: "runs:read", params, answer },
  ({ services, owner, params: { id } }) => getCorpus(services, owner, id),
);

changeRoute(
  corpora,
  {
    path: "/v1/corpora/{id}",
    operationId: "updateCorpus",
    summary: "Change a corpus",
    description:
      "Each given field replaces the stored one. Existing documents keep their language; the embedding model cannot be changed.",
    scope: "runs:write",
    params,
    body: referredRequest("UpdateCorpus", { description: "As of 2018." }),
    answer,
  },
  ({ services, owner, params: { id }, body, complete }) => updateCorpus(services, { owner, id, body }, complete(id)),
);

deleteRoute(
  corpora,
  {
    path: "/v1/corpora/{id}",
    operationId: "deleteCorpus",
    summary: "Delete a corpus",
    description:
      "With its documents, uploads and vectors. It can no longer be searched; runs keep the passages that they have retrieved.",
    scope: "runs:write",
    params,
  },
  ({ services, owner, params: { id }, complete }) => deleteCorpus(services, owner, id, complete(id)),
);

verbRoute(
  corpora,
  {
    path: "/v1/corpora/{id}/search",
    operationId: "searchCorpus",
    summary: "Search a corpus",
    description:
      "The passages that match a query best, as a run would retrieve them: ranked by words (BM25), and if the corpus has vectors also by these, fused by rank. With up to 20,000 passages every vector is compared; in larger corpora only the vectors of passages found by words, unless Vectorize stores the vectors.",
    scope: "runs:read",
    params,
    body: jsonRequest(searchSchema.meta({ id: "SearchCorpus" }), { query: "Which sanctions are there?", limit: 5 }),
    answer: json(searchResultSchema, "The passages, best first.", EXAMPLE_SEARCH),
    errors: [
      "no_vectors",
      "provider_key_required",
      "provider_key_unreadable",
      "provider_rate_limited",
      "provider_unavailable",
      "provider_unreachable",
      "provider_timeout",
      "provider_refused_request",
    ],
  },
  ({ services, owner, params: { id }, body: request }) => searchCorpus(services, { owner, id, request }),
);
