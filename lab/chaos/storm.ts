import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../scripts/lib/json.ts";
import { modelOf, followRun, type RunRecord } from "./runs.ts";
import type { Client, Outages } from "../lib/client.ts";
import type { Call, FaultyModel } from "./faulty-model.ts";
import type { FaultyReceiver } from "./faulty-receiver.ts";
import { type Evidence, LAWS } from "./laws.ts";
import { parallel } from "../../scripts/lib/parallel.ts";
import { judgeDeliveries, type Listener, drain } from "./deliveries.ts";
import { keepsChildren } from "./trees.ts";

/** Active runs at the same time. */
const CONCURRENCY = 25;
/** Runs whose evidence is read at the same time: a server that gets thousands of requests at once answers the last ones too late. */
const READERS = 8;
/** The maintenance worker has removed the children of a removed run after this time. Milliseconds. */
const CLEARED_WITHIN = 20_000;

interface StormOptions {
  /** are filled */
  records: RunRecord[];
  api: Client;
  model: FaultyModel;
  receiver: FaultyReceiver;
  /** the receiver's URL */
  hooks: string;
  outages: Outages;
  /** when an attempt of a webhook may have gone unrecorded */
  unrecorded?: Pick<Outages, "overlap" | "storageAway" | "recorded_within">;
  /** happens during the runs */
  disturb: () => Promise<void>;
  /** is called when every run has ended */
  onEnded: () => void;
  /** how often the lists of deliveries are read at the end, in milliseconds */
  drainInterval?: number;
}

/** Plays runs side by side, under whatever happens to the server meanwhile, and checks every promise when they have ended. */
export async function storm(options: StormOptions) {
  const { records, api, model, receiver, hooks, outages, unrecorded = outages, drainInterval } = options;
  const violations: string[] = [];
  const headers = { "idempotency-key": "tenant" };
  const tenant = await api.post("/v1/webhook-endpoints", { body: { url: `${hooks}/tenant` }, headers });
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  for (const { plan } of records) model.plan(modelOf(plan), plan.mockRun.contents);

  const run = (record: RunRecord) =>
    followRun(record, api, { hooks, secret })
      .catch((error) => void record.violations.push(error.stack))
      .finally(() => (record.over = true));
  const runs = parallel(records, run, CONCURRENCY);
  await options.disturb();
  await runs;
  options.onEnded();

  receiver.recover();
  const evidence: (Evidence | null)[] = records.map(() => null);
  const gatherOne = async ([index, record]: [number, RunRecord]) => {
    if (record.id) evidence[index] = await gather(api, record, model.calls);
  };
  await parallel([...records.entries()], gatherOne, READERS);
  const listeners = listenersOf(records, evidence, { tenant, secret });
  const { redelivered, late } = await drain(api, listeners, drainInterval);
  violations.push(...late);
  const cleared = Math.max(...records.map(({ removed_at }) => removed_at && removed_at + CLEARED_WITHIN));
  await sleep(Math.max(0, cleared - Date.now()));
  const removed = new Set(records.flatMap((record) => record.removed));
  const isRemoved = (body: string) => removed.has(JSON.parse(body).data.run?.id);
  const logs: Json[] = [];
  for (const listener of listeners) {
    const log = await api.all(`/v1/webhook-endpoints/${listener.id}/deliveries`);
    const received = receiver.received.filter(({ path, body }) => path === listener.path && !isRemoved(body));
    violations.push(...judgeDeliveries(listener, log, received, unrecorded));
    logs.push(...log);
  }
  for (const [index, record] of records.entries()) {
    const { id, plan } = record;
    const own = evidence[index];
    const broken = own ? [...Object.values(LAWS), keepsChildren].flatMap((law) => law(record, own, outages)) : [];
    const place = `${plan.name} (${id}, ${plan.scenario.workflow}, ${plan.scenario.name}, ${plan.behaviour})`;
    violations.push(...[...record.violations, ...broken].map((violation) => `${place}: ${violation}`));
  }
  return { evidence, violations, logs, redelivered };
}

/** Collects the evidence of one run. */
async function gather(api: Client, { id }: { id: string }, calls: Call[]): Promise<Evidence> {
  const path = `/v1/runs/${id}`;
  const [run, artifacts, events] = await Promise.all([
    api.get(path),
    api.all(`${path}/artifacts`),
    api.all(`${path}/events`),
  ]);
  const asked = events.filter(({ type }) => type === "run.input_required").map(({ data }) => data.interaction_id);
  const ids = [...new Set(asked)]; // a retry opens a canceled question again
  const interactions = await Promise.all(ids.map((interaction) => api.get(`/v1/interactions/${interaction}`)));
  const byPeople = artifacts.filter(({ role }) => role === "human");
  const contents = await Promise.all(byPeople.map((artifact) => api.get(`${path}/artifacts/${artifact.id}`)));
  const said = new Map(contents.map(({ step, content }) => [step, JSON.stringify(content)]));
  const started = run.children ? await api.all(`/v1/runs?parent_id=${id}`) : [];
  const children: Evidence[] = [];
  for (const child of started) children.push(await gather(api, child, calls));
  return { run, artifacts, events, interactions, said, calls: calls.filter((call) => call.run === id), children };
}

/** The webhook endpoints with the events that each must receive: the tenant's endpoint, and one of each run. */
function listenersOf(
  records: RunRecord[],
  evidence: (Evidence | null)[],
  { tenant, secret }: { tenant: Json; secret: string },
): Listener[] {
  const eventsOf = (types: string[], runs: Evidence[]) =>
    runs.flatMap(({ run, events }) =>
      events.filter(({ type }) => types.includes(type)).map((event) => ({ ...event, run_id: run.id })),
    );
  const ofRun = ({ plan }: RunRecord, index: number) => {
    const own = evidence[index];
    if (!own) return [];
    const { webhook } = own.run;
    return [{ id: webhook.id, path: `/run/${plan.index}`, secret, events: eventsOf(webhook.events, [own]) }];
  };
  const created = evidence.filter((item) => item !== null);
  return [
    { id: tenant.id, path: "/tenant", secret: tenant.secret, events: eventsOf(tenant.events, created) },
    ...records.flatMap(ofRun),
  ];
}
