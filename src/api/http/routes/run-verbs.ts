import { cancelRun } from "#services/runs/cancel-run";
import { getRun } from "#services/runs/runs";
import { pauseRun, resumeRun } from "#services/runs/pause-run";
import { retryRunSchema } from "#services/runs/requests";
import { retryRun } from "#services/runs/retry-run";
import { runSchema } from "#services/runs/schema";
import { VERBS, type Verb } from "#services/runs/states";
import { Router } from "../context";
import { EXAMPLE_RUN } from "../examples";
import { verbRoute } from "../keyed-routes";
import { json, jsonRequest, NO_FIELDS } from "../operation";
import { runParams } from "./runs";

export const runVerbs = new Router("Runs");

const route = (verb: Verb, summary: string, effect: string) => ({
  path: `/v1/runs/{id}/${verb}`,
  operationId: `${verb}Run`,
  summary,
  description: `${effect} Possible when the run is ${VERBS[verb].states.map((state) => `\`${state}\``).join(", ")}.`,
  scope: "runs:write" as const,
  params: runParams,
  answer: json(runSchema, "The run.", EXAMPLE_RUN),
  errors: ["wrong_state"] as const,
});

/** The verbs that take no fields. */
const PLAIN = [
  [
    cancelRun,
    route("cancel", "Cancel a run", "Ends the run and its open interactions. Nothing is written afterwards."),
  ],
  [pauseRun, route("pause", "Pause a run", "Takes effect after the calls in flight, which are finished and stored.")],
  [resumeRun, route("resume", "Resume a run", "Ends a pause.")],
] as const;

for (const [does, about] of PLAIN) {
  verbRoute(
    runVerbs,
    { ...about, body: NO_FIELDS, show: ({ services, owner, params: { id } }) => getRun(services, owner, id) },
    ({ services, owner, params: { id }, complete }) => does(services, { owner, id }, complete(id)),
  );
}

verbRoute(
  runVerbs,
  {
    ...route("retry", "Retry a run", "Continues after the last finished step; finished steps cost nothing again."),
    body: jsonRequest(retryRunSchema.meta({ id: "RetryRun" }), { limits: { max_llm_calls: 200 } }, { required: false }),
    show: ({ services, owner, params: { id } }) => getRun(services, owner, id),
  },
  ({ services, owner, params: { id }, body: request, complete }) =>
    retryRun(services, { owner, id, request }, complete(id)),
);
