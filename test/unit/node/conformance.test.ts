import { DatabaseSync } from "node:sqlite";
import { DurableObjects } from "../../../src/node/durable-objects";
import { openD1 } from "../../../src/node/d1";
import { directHost, Life } from "../../../src/node/host";
import { ObjectDatabase } from "../../../src/node/object-storage";
import { MemoryBlobs, openR2 } from "../../../src/node/r2";
import { WorkflowRecord } from "../../../src/node/workflow-record";
import { Workflows } from "../../../src/node/workflows";
import { type ProbeEnv, ProbeObject, ProbeWorkflow } from "../../conformance/probe";
import { conformance } from "../../conformance/suite";

const platform = new DatabaseSync(":memory:");
const stored = new ObjectDatabase(platform, (_, create) => (create ? new DatabaseSync(":memory:") : null));
const life = new Life("process");
const env = {
  DB: openD1(new DatabaseSync(":memory:"), directHost),
  BUCKET: openR2(new MemoryBlobs(), directHost),
} as ProbeEnv;
env.OBJECTS = new DurableObjects(directHost, life, stored, { ProbeObject: ProbeObject as never }, env).namespace(
  "ProbeObject",
) as never;
env.FLOWS = new Workflows(
  directHost,
  life,
  new WorkflowRecord(platform),
  ProbeWorkflow as never,
  env,
).binding() as never;

conformance(env);
