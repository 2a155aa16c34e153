import { Fates, type Profile } from "./fates.ts";
import { Life } from "../../src/node/host.ts";
import { Outages } from "../lib/client.ts";
import { FaultyModel } from "../chaos/faulty-model.ts";
import { FaultyReceiver } from "../chaos/faulty-receiver.ts";
import { LLM_TIMEOUT } from "../chaos/laws.ts";
import { Chance } from "./chance.ts";
import { enter } from "./globals.ts";
import { Network, URLS } from "./network.ts";
import { Process } from "./process.ts";
import { Scheduler } from "./scheduler.ts";
import { Storage } from "./storage.ts";

/** Every world begins at this time. */
const START = Date.UTC(2027, 0, 4, 9);
/** How long a process is down after a crash. Milliseconds. */
const DOWN = { from: 100, to: 4000 };
/** Characters of a line of the schedule. */
const MAX_NOTE_LENGTH = 240;
const MAX_EVENTS = 6_000_000;

/** One simulated world: the Worker's process, what it stores, the network, and clients. */
export class World {
  /** null while it is down */
  process: Process | null = null;
  outages = new Outages();
  /** Broken laws. */
  violations: string[] = [];
  /** Lines of the Worker's log, and other notes, when the world is traced. */
  trace: string[] | null = null;
  startedAt = START;
  #starts = 0;
  readonly profile: Profile;
  readonly network_chance: Chance;
  readonly crash_chance: Chance;
  readonly fates: Fates;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly model: FaultyModel;
  readonly receiver: FaultyReceiver;
  readonly storage: Storage;

  constructor(options: { seed: number; profile: Profile; template: Uint8Array; runs: number; traced?: boolean }) {
    const { seed, profile, template, runs, traced = false } = options;
    this.profile = profile;
    if (traced) this.trace = [];
    const chances = new Chance(seed);
    const next = () => new Chance(chances.bits() | 0);
    this.network_chance = next();
    this.crash_chance = next();
    this.fates = new Fates(profile, next(), { runs, now: () => this.scheduler.now(), evict: () => this.evict() });
    this.scheduler = new Scheduler({
      startAt: START,
      fateOf: (call) => this.fates.of(call),
      faultOf: (call) => this.fates.errorOf(call),
      crash: () => this.crash(),
      note: traced ? (at, life, what) => this.note(at, life, what) : null,
    });
    this.network = new Network(this);
    enter({
      scheduler: this.scheduler,
      chance: next(),
      fetch: (input, init) => this.network.fetch(input, init),
      log: (level, line) => this.note(this.scheduler.time, this.scheduler.current?.name ?? "", `${level} ${line}`),
    });
    this.model = new FaultyModel({ seed: String(seed), latency: profile.model_latency });
    this.receiver = new FaultyReceiver({ seed: String(seed) });
    this.storage = new Storage(template);
    this.start();
  }

  /** The variables of the Worker. */
  get variables() {
    const { maintenance_interval, max_concurrency } = this.profile;
    return {
      PARLEY_SECRET: "a secret of simulations, long enough",
      PUBLIC_URL: URLS.worker,
      ALLOW_PRIVATE_URLS: "true",
      MAINTENANCE_INTERVAL_MS: String(maintenance_interval),
      NUDGE_AFTER_MS: "5000",
      LLM_TIMEOUT_MS: String(LLM_TIMEOUT),
      RATE_LIMIT_PER_MINUTE: "0",
      WEBHOOKS_PER_MINUTE: "0",
      WEBHOOKS_PER_MINUTE_OF_ALL: "0",
      LOG_LEVEL: this.trace ? "info" : "error",
      LOG_CONTENT: "true",
      OPENAI_API_KEY: "sk-simulated",
      OPENAI_BASE_URL: URLS.model,
      OPENAI_MODEL: "nobody",
      OPENAI_EMBEDDING_MODEL: "encoder",
      ...(max_concurrency && { OPENAI_MAX_CONCURRENCY: String(max_concurrency) }),
    };
  }

  start() {
    this.process = new Process(`process ${++this.#starts}`, this.scheduler, this.storage, this.variables);
    this.process.resume(this.profile.resume === "at once");
    const outage = this.outages.all.at(-1);
    if (outage) outage.to = Date.now();
  }

  crash() {
    if (!this.process) return;
    this.note(this.scheduler.time, "platform", `CRASH of ${this.process.life.name}`);
    this.process.life.end();
    this.process = null;
    this.outages.all.push({ from: Date.now(), to: Infinity });
    this.network.cut();
    const up = this.scheduler.time + this.crash_chance.between(DOWN.from, DOWN.to);
    this.scheduler.at(up, null, () => this.start(), "the process starts again");
  }

  /** Drops an object or an instance from memory. An instance continues as after a crash. */
  evict() {
    if (!this.process) return;
    const { objects, workflows } = this.process;
    const parts = [
      ...objects.inMemory().map((name) => ({ name, of: objects })),
      ...workflows.inMemory().map((name) => ({ name, of: workflows })),
    ];
    if (parts.length === 0) return;
    const { name, of } = this.crash_chance.choose(parts);
    this.note(this.scheduler.time, "platform", `EVICTION of ${name}`);
    of.evict(name);
    this.network.cut();
    this.outages.all.push({ from: Date.now(), to: Date.now() });
    if (of === workflows && this.profile.resume === "at once")
      this.scheduler.at(this.scheduler.time + 100, this.process.life, () => workflows.resume(name), `resume ${name}`);
  }

  /** Adds a line to the schedule of a traced world: seconds since its beginning, life, and what happens. */
  note(at: number, life: string, what: string) {
    const text = what.replace(/\s+/g, " ").slice(0, MAX_NOTE_LENGTH);
    this.trace?.push(`${((at - START) / 1000).toFixed(4).padStart(11)}  ${life.slice(0, 44).padEnd(44)}  ${text}`);
  }

  /** Runs the world while clients do their work. */
  async live(clients: () => Promise<void>) {
    const over = { is: false };
    const life = new Life("clients");
    const work = async () => {
      try {
        await clients();
      } catch (error) {
        this.violations.push(`the clients broke off: ${(error as Error).stack}`);
      }
      over.is = true;
    };
    this.scheduler.at(this.scheduler.time, life, () => void work(), "clients begin");
    try {
      await this.scheduler.run(() => over.is, MAX_EVENTS);
    } catch (error) {
      this.violations.push((error as Error).message);
    }
  }
}
