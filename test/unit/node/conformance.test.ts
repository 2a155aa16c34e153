import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe } from "vitest";
import { openD1 } from "../../../src/node/d1";
import { DataFolder } from "../../../src/node/data-folder";
import { DurableObjects } from "../../../src/node/durable-objects";
import type { Transactions } from "../../../src/node/group-commit";
import { directHost, type Host, Life, realHost } from "../../../src/node/host";
import { ObjectDatabase } from "../../../src/node/object-storage";
import { MemoryBlobs, openR2 } from "../../../src/node/r2";
import type { ProcessStorage } from "../../../src/node/worker-process";
import { WorkflowRecord } from "../../../src/node/workflow-record";
import { Workflows } from "../../../src/node/workflows";
import { type ProbeEnv, ProbeObject, ProbeWorkflow } from "../../conformance/probe";
import { conformance } from "../../conformance/suite";

function environment({ d1, blobs, objects, workflows }: ProcessStorage, host: Host, transactions?: Transactions) {
  const life = new Life("process");
  const env = { DB: openD1(d1, host, transactions), BUCKET: openR2(blobs, host) } as ProbeEnv;
  const classes = { ProbeObject: ProbeObject as never };
  env.OBJECTS = new DurableObjects(host, life, objects, classes, env).namespace("ProbeObject") as never;
  env.FLOWS = new Workflows(host, life, workflows, ProbeWorkflow as never, env).binding() as never;
  return env;
}

describe("in memory, as the simulation has it", () => {
  const platform = new DatabaseSync(":memory:");
  const storage = {
    d1: new DatabaseSync(":memory:"),
    blobs: new MemoryBlobs(),
    objects: new ObjectDatabase(platform, (_, create) => (create ? new DatabaseSync(":memory:") : null)),
    workflows: new WorkflowRecord(platform),
  };
  conformance(environment(storage, directHost));
});

describe("in a folder with group commit, as `npm run serve` has it", () => {
  const path = mkdtempSync(join(tmpdir(), "parley-conformance-"));
  const folder = new DataFolder(path, []);
  const { commits, storage } = folder;
  const host = realHost(commits);
  conformance(environment(storage, host, commits.of(storage.d1)));
  afterAll(async () => {
    await folder.close();
    rmSync(path, { recursive: true, force: true });
  });
});
