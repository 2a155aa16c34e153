import { agentRegistry } from "#agents/registry";
import { type DryDependencies, dryRun } from "#engine/estimate/dry-run";
import type { RunDependencies } from "#engine/instance/instance";
import { ownKeys } from "#services/providers/own-keys";
import { readSettings } from "#services/settings";
import { createLlm, parseProviders } from "#llm";
import { configureLog } from "#core/log";
import { committers, makePlatform, providerGates } from "./platform";
import { paperSource } from "#retrieval/papers/index";
import { makeRetrieval } from "#retrieval/retrieval";
import { vectorIndex } from "#retrieval/vector-index";
import type { PaperSource } from "#retrieval/types";
import { EnginePlaces } from "#agents/sandbox/engine-places";
import { runProgram } from "#agents/sandbox/run-program";
import { Secrets } from "#core/secrets";
import type { Services } from "#services/services";
import { Store } from "#store/store";
import { findClosedDataset } from "#services/runs/check-datasets";
import { createChildren, findPlayed, wakeParent } from "#services/runs/create-children";
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

/** Wires the keeper and the webhook senders. They use no model: a wrong PROVIDERS does not stop them. */
export const composeMaintenance = oncePerEnv((env) => {
  const settings = readSettings(env);
  configureLog(settings.log);
  return {
    store: new Store(env.DB, env.BUCKET, settings.quotas, committers(env)),
    platform: makePlatform(env),
    secrets: new Secrets(settings.secrets),
    settings,
    vectors: env.VECTORS ? vectorIndex(env.VECTORS) : null,
  };
});

/** Engines of generated programs that may be alive in an isolate: with 32 MiB each they take half of its memory. */
const LIVE_ENGINES = 2;

/** Wires the services of the verbs, and the paper source and the places for engines that all runs of an isolate share. */
export const composeServices = oncePerEnv((env): Services & { papers: PaperSource; engines: EnginePlaces } => {
  const maintenance = composeMaintenance(env);
  const { store, secrets, settings } = maintenance;
  const providers = parseProviders(env);
  const papers = paperSource({ settings: settings.papers, policy: settings.url_policy, cache: store.papers });
  const engines = new EnginePlaces(LIVE_ENGINES);
  const services = {
    ...maintenance,
    llm: createLlm({ providers, memory: store.capabilities, keys: ownKeys(store, secrets, settings) }),
    gates: providerGates(env),
    workflows,
    providers,
    papers,
    engines,
  };
  const dry: DryDependencies = {
    agents: agentRegistry(services),
    papers,
    runProgram: (source, options) => runProgram(source, options, engines),
    dataset: (owner, id) => findClosedDataset(store, owner, id),
  };
  return { ...services, dryRun: (request) => dryRun(dry, request) };
});

/** Wires the dependencies of a run's instance. */
export function composeRun(env: Env): RunDependencies {
  const services = composeServices(env);
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
      findPlayed: (owner, wanted) => findPlayed(services, owner, wanted),
    },
    wakeCanceled: (children) => wakeCanceled(services, children),
    wakeParent: (parent) => wakeParent(services, parent),
    startNext: (tenant) => startNext(services, tenant),
    wakeWebhookSenders: (endpoints) => void platform.wakeWebhookSenders(endpoints).catch(() => {}), // the keeper repeats it
    announceEvents: (run) => void platform.announceEvents(run).catch(() => {}), // streams look at each heartbeat
    reportCalls: (run, calls) => void platform.reportCalls(run, calls).catch(() => {}), // the next report shows them
  };
}
