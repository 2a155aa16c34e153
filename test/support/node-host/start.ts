/** Starts the Worker in this process, once for all test files: on the platform of `npm run serve`, with storage in memory. */
import { DatabaseSync } from "node:sqlite";
import { inject } from "vitest";
import * as worker from "../../../src/worker";
import { installMetrics } from "#services/telemetry/metrics";
import { prometheus } from "#services/telemetry/prometheus";
import { completeGlobals } from "../../../src/node/globals";
import { directHost } from "../../../src/node/host";
import { ObjectDatabase } from "../../../src/node/object-storage";
import { MemoryBlobs } from "../../../src/node/r2";
import { StaticFiles } from "../../../src/node/static-files";
import { WorkerProcess } from "../../../src/node/worker-process";
import { WorkflowRecord } from "../../../src/node/workflow-record";
import { emptyDatabase } from "../database";
import { testVariables } from "../variables";
import { nameStubs } from "./cloudflare-test";
import { env, exports } from "./cloudflare-workers";

function start(): WorkerProcess {
  completeGlobals();
  installMetrics(prometheus);
  const platform = new DatabaseSync(":memory:");
  // Without committers, as `npm run serve`: this host groups commits itself.
  const { COMMITTERS: _, ...namespaces } = DURABLE_OBJECTS;
  return new WorkerProcess(worker as never, {
    name: "tests",
    host: directHost,
    storage: {
      d1: emptyDatabase(),
      blobs: new MemoryBlobs(),
      objects: new ObjectDatabase(platform, (_name, create) => (create ? new DatabaseSync(":memory:") : null)),
      workflows: new WorkflowRecord(platform),
    },
    namespaces,
    variables: testVariables({
      modelUrl: inject("modelUrl" as never),
      mcpUrl: inject("mcpUrl" as never),
      modernMcpUrl: inject("modernMcpUrl" as never),
    }),
    assets: new StaticFiles("dist/assets"),
  });
}

/** Sends a request as HTTP does: with the length of a text, and until its signal aborts. */
async function sent(running: WorkerProcess, request: Request, body: unknown): Promise<Response> {
  if (typeof body === "string") request.headers.set("content-length", String(Buffer.byteLength(body)));
  const { signal } = request;
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const response = await Promise.race([running.fetch(request), aborted]);
  const rest = response.body?.pipeThrough(new TransformStream(), { signal });
  return new Response(rest, response);
}

if (!exports.default) {
  const running = start();
  for (const [binding, className] of Object.entries(DURABLE_OBJECTS))
    if (running.env[binding]) nameStubs(running, binding, className);
  Object.assign(env, running.env);
  exports.default = {
    fetch: (input, init) =>
      sent(running, new Request(input as RequestInfo, { duplex: "half", ...init } as object), init?.body),
  };
}
