import { agentRegistry } from "#agents/registry";
import type { RunDependencies } from "#engine/instance/instance";
import { readSettings } from "#services/settings";
import { createLlm, parseProviders } from "#llm";
import { configureLog } from "#core/log";
import { makePlatform, providerGates } from "./platform";
import { paperSource } from "#retrieval/papers/index";
import { makeRetrieval } from "#retrieval/retrieval";
import { vectorIndex } from "#retrieval/vector-index";
import type { PaperSource } from "#retrieval/types";
import { runProgram } from "#agents/sandbox/run-program";
import { Secrets } from "#core/secrets";
import type { Services } from "#services/services";
import { Store } from "#store/store";
import { startNext } from "#services/wake";
import { workflows } from "#workflows/index";

/** The services of the verbs, and the paper source that all runs of an isolate share. */
type Wired = Services & { papers: PaperSource };

/** One set per environment, which never changes during the life of an isolate. */
const composed = new WeakMap<Env, Wired>();

/** Wires the services of the HTTP API and of the Durable Objects. */
export function composeServices(env: Env): Wired {
  let services = composed.get(env);
  if (!services) {
    const settings = readSettings(env);
    configureLog(settings.log);
    const store = new Store(env.DB, env.BUCKET);
    const providers = parseProviders(env);
    services = {
      store,
      llm: createLlm({ providers, memory: store.capabilities }),
      gates: providerGates(env),
      platform: makePlatform(env),
      secrets: new Secrets(settings.secret),
      settings,
      workflows,
      providers,
      papers: paperSource({
        settings: settings.papers,
        policy: settings.url_policy,
        cache: store.papers,
      }),
      vectors: env.VECTORS ? vectorIndex(env.VECTORS) : null,
    };
    composed.set(env, services);
  }
  return services;
}

/** Wires the dependencies of a run's instance. */
export function composeRun(env: Env): RunDependencies {
  const services = composeServices(env);
  const { store, platform, settings, llm, gates, vectors, papers } = services;
  return {
    code_version: settings.version,
    store,
    llm,
    llm_timeout_ms: settings.llm_timeout_ms,
    gates,
    agents: agentRegistry(services),
    runProgram,
    papers,
    retrieval: makeRetrieval({
      store,
      llm,
      timeout_ms: settings.llm_timeout_ms,
      vectors,
    }),
    startNext: (tenant) => startNext(services, tenant),
    wakeWebhookSenders: (endpoints) => void platform.wakeWebhookSenders(endpoints).catch(() => {}), // the keeper repeats it
  };
}
