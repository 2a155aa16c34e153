import { agentRegistry } from "#agents/registry";
import { type DryDependencies, dryRun } from "#engine/estimate/dry-run";
import type { RunDependencies } from "#engine/instance/instance";
import { ownKeys } from "#services/providers/own-keys";
import { observedLlm } from "#services/telemetry/observed-llm";
import { readSettings } from "#services/settings";
import { createLlm, parseProviders } from "#llm";
import { configureLog } from "#core/log";
import { boundDatabases } from "./databases";
import { committers, makePlatform, providerGates } from "./platform";
import { paperSource } from "#retrieval/papers/index";
import { makeRetrieval } from "#retrieval/retrieval";
import { vectorIndex } from "#retrieval/vector-index";
import type { PaperSource } from "#retrieval/types";
import { EnginePlaces } from "#agents/sandbox/engine-places";
import { runProgram } from "#agents/sandbox/run-program";
import { Secrets } from "#core/secrets";
import type { Services } from "#services/services";
import type { Subject } from "#core/subject";
import { type NamedDatabase, placedD1, Placement } from "#store/placement";
import { Store } from "#store/store";
import { findClosedDataset } from "#services/datasets/datasets";
import { createChildren, findReusable, wakeParent } from "#services/runs/create-children";
import { wakeCanceled } from "#services/runs/cancel-run";
import { startNext } from "#services/wake";
import { workflows } from "#workflows/index";

/** Wires once per environment, which never changes during the life of an isolate. */
function oncePerEnv<T>(wire: (env: Env) => T): (env: Env) => T {
  const wired = new WeakMap<Env, T>();
  return (env) => {
    const known = wired.get(env) ?? wire(env);
    wired.set(env, known);
    return known;
  };
}

/** The services that need no model. */
export type Maintenance = Pick<Services, "store" | "platform" | "secrets" | "settings" | "vectors">;
type WorkerServices = Services & { papers: PaperSource; engines: EnginePlaces };

/** A database as stores use it, and its binding's name. */
interface Place {
  db: D1Database;
  name: () => Promise<string>;
}

const databasesOf = oncePerEnv(boundDatabases);
const fixed = ({ db, name }: NamedDatabase): Place => ({ db, name: async () => name });

/** The place of a subject's tenant; with one database that is the place of all. */
function placeOf(env: Env, subject: Subject): Place {
  const placement = new Placement(databasesOf(env), subject);
  return { db: placedD1(placement), name: async () => (await placement.current()).name };
}

/** State that the databases of a deployment share, without models. */
const composeShared = oncePerEnv((env) => {
  const settings = readSettings(env);
  configureLog(settings.log);
  return { platform: makePlatform(env), secrets: new Secrets(settings.secrets), settings };
});

function maintenanceOn(env: Env, { db, name }: Place): Maintenance {
  const shared = composeShared(env);
  return {
    ...shared,
    store: new Store(db, env.BUCKET, shared.settings.quotas, committers(env, name)),
    vectors: env.VECTORS ? vectorIndex(env.VECTORS, name) : null,
  };
}

/** The services of the first database that need no model. */
export const composeMaintenance = oncePerEnv((env) => maintenanceOn(env, fixed(databasesOf(env).all[0])));

const hasOneDatabase = (env: Env) => databasesOf(env).all.length === 1;

/** Wires the maintenance worker and the webhook senders. They use no model: a wrong PROVIDERS does not stop them. */
export const maintenanceAt = (env: Env, subject: Subject): Maintenance =>
  hasOneDatabase(env) ? composeMaintenance(env) : maintenanceOn(env, placeOf(env, subject));

/** The maintenance of each database, in their order. */
export const maintenanceOfAll = oncePerEnv((env) =>
  databasesOf(env).all.map((database, n) => (n === 0 ? composeMaintenance(env) : maintenanceOn(env, fixed(database)))),
);

/** Engines of generated programs that may be alive in an isolate: with 32 MiB each they take half of its memory. */
const LIVE_ENGINES = 2;

/** State that all runs of an isolate share. */
const composeModels = oncePerEnv((env) => {
  const { store, settings } = composeMaintenance(env);
  return {
    providers: parseProviders(env),
    gates: providerGates(env),
    // The operator's own URL, which may be private.
    papers: paperSource({
      settings: settings.papers,
      policy: { ...settings.url_policy, allow_private: true },
      cache: store.papers,
    }),
    engines: new EnginePlaces(LIVE_ENGINES),
    workflows,
  };
});

function servicesOn(env: Env, maintenance: Maintenance): WorkerServices {
  const models = composeModels(env);
  const { store, secrets, settings } = maintenance;
  const { providers, papers, engines } = models;
  const services = {
    ...maintenance,
    ...models,
    llm: observedLlm(createLlm({ providers, memory: store.capabilities, keys: ownKeys(store, secrets, settings) })),
  };
  const dry: DryDependencies = {
    agents: agentRegistry(services),
    papers,
    runProgram: (source, options) => runProgram(source, options, engines),
    dataset: (owner, id) => findClosedDataset(store, owner, id),
  };
  return {
    ...services,
    dryRun: (request) => dryRun(dry, request),
    at: (subject) => servicesAt(env, subject),
    ofAllDatabases: () => servicesOfAll(env),
  };
}

/** Wires the services of the verbs, on the first database. */
export const composeServices = oncePerEnv((env) => servicesOn(env, composeMaintenance(env)));

/** The services on the database of a subject's tenant. */
export const servicesAt = (env: Env, subject: Subject): WorkerServices =>
  hasOneDatabase(env) ? composeServices(env) : servicesOn(env, maintenanceAt(env, subject));

/** The services of each database, in their order. */
export const servicesOfAll = oncePerEnv((env) =>
  maintenanceOfAll(env).map((maintenance, n) => (n === 0 ? composeServices(env) : servicesOn(env, maintenance))),
);

/** Wires the dependencies of a run's instance. @param id of the run */
export function composeRun(env: Env, id: string): RunDependencies {
  const services = servicesAt(env, { kind: "run", id });
  const { store, platform, settings, llm, gates, vectors, papers, engines } = services;
  return {
    code_version: settings.version,
    store,
    llm,
    llm_timeout_ms: settings.llm_timeout_ms,
    gates,
    agents: agentRegistry(services),
    runProgram: (source, options) => runProgram(source, options, engines),
    papers,
    retrieval: makeRetrieval({
      store,
      llm,
      timeout_ms: settings.llm_timeout_ms,
      vectors,
    }),
    children: {
      create: (group, of, wanted) => createChildren(services, group, of, wanted),
      findReusable: (owner, wanted) => findReusable(services, owner, wanted),
    },
    wakeCanceled: (children) => wakeCanceled(services, children),
    wakeParent: (parent) => wakeParent(services, parent),
    startNext: (tenant) => startNext(services, tenant),
    wakeWebhookSenders: (endpoints) => void platform.wakeWebhookSenders(endpoints).catch(() => {}), // the maintenance worker repeats it
    announceEvents: (run) => void platform.announceEvents(run).catch(() => {}), // streams look at each heartbeat
    reportCalls: (run, calls) => void platform.reportCalls(run, calls).catch(() => {}), // the next report shows them
  };
}
