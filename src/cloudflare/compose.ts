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

/** Besides what the verbs work with: what an isolate keeps for all of its runs. */
type Wired = Services & { papers: PaperSource };

/** The environment does not change while an isolate lives, and neither does what is made of it. */
const made = new WeakMap<Env, Wired>();

/** Wires what HTTP works with, and the keeper. */
export function composeServices(env: Env): Wired {
  let services = made.get(env);
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
    made.set(env, services);
  }
  return services;
}

/** Wires what an instance of a run works with. */
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
    wakeWebhookSenders: (endpoints) => void platform.wakeWebhookSenders(endpoints).catch(() => {}), // the keeper calls again
  };
}
