import { createRoute } from "@hono/zod-openapi";
import { cancelRun } from "#services/runs/cancel-run";
import { pauseRun } from "#services/runs/pause-run";
import { noFieldsSchema, retryRunSchema } from "#services/runs/requests";
import { resumeRun } from "#services/runs/resume-run";
import { retryRun } from "#services/runs/retry-run";
import { VERBS, type Verb } from "#services/runs/states";
import { newRouter } from "../context";
import { getRun } from "#services/runs/get-run";
import { writtenUnderKey } from "../under-key";
import { EXAMPLE_RUN } from "../examples";
import { jsonBody } from "../middleware/body";
import { BODY, errors, json, jsonRequest, KEYED, needs, QUERY, scopeNote } from "../operation";
import { runSchema } from "#services/runs/schema";
import { oneRun } from "./runs";

export const runVerbs = newRouter();

const tags = ["Runs"];

/** The verbs that take no fields. */
const PLAIN = {
  cancel: {
    does: cancelRun,
    summary: "Cancel a run",
    effect: "Ends the run and its open interactions. Nothing is written afterwards.",
  },
  pause: {
    does: pauseRun,
    summary: "Pause a run",
    effect: "Takes effect after the calls in flight, which are finished and stored.",
  },
  resume: { does: resumeRun, summary: "Resume a run", effect: "Ends a pause." },
} as const;

for (const [verb, { does, summary, effect }] of Object.entries(PLAIN)) {
  runVerbs.openapi(
    createRoute({
      method: "post",
      path: `/v1/runs/{id}/${verb as keyof typeof PLAIN}` as "/v1/runs/{id}/cancel",
      operationId: `${verb}Run`,
      tags,
      summary,
      description: `${effect} ${takenIn(verb as Verb)} ${scopeNote("runs:write")}`,
      ...needs("runs:write", jsonBody({ optional: true })),
      request: { ...oneRun, body: jsonRequest(noFieldsSchema, {}, { required: false }) },
      responses: {
        200: json(runSchema, "The run.", EXAMPLE_RUN),
        ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "wrong_state"),
      },
    }),
    async (c) => {
      const { services, key, held } = c.var;
      const { id } = c.req.valid("param");
      if (held?.made) return c.json(await getRun(services, key, id), 200);
      return c.json(await does(services, { owner: key, id }, writtenUnderKey(c, id)), 200);
    },
  );
}

runVerbs.openapi(
  createRoute({
    method: "post",
    path: "/v1/runs/{id}/retry",
    operationId: "retryRun",
    tags,
    summary: "Retry a run",
    description: `Continues after the last finished step; finished steps cost nothing again. ${takenIn("retry")} ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody({ optional: true })),
    request: {
      ...oneRun,
      body: jsonRequest(
        retryRunSchema.meta({ id: "RetryRun" }),
        { limits: { max_llm_calls: 200 } },
        { required: false },
      ),
    },
    responses: {
      200: json(runSchema, "The run.", EXAMPLE_RUN),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "wrong_state"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { services, key, held } = c.var;
    if (held?.made) return c.json(await getRun(services, key, id), 200);
    const request = { owner: key, id, request: c.req.valid("json") };
    return c.json(await retryRun(services, request, writtenUnderKey(c, id)), 200);
  },
);

function takenIn(verb: Verb): string {
  return `Possible when the run is ${VERBS[verb].states.map((state) => `\`${state}\``).join(", ")}.`;
}
