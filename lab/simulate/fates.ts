import type { Call, Service } from "../../src/node/host.ts";
import type { Chance } from "./chance.ts";
import type { Fate } from "./scheduler.ts";

/** How a world treats the calls of its process: how long they take, which of them fail, and when the process crashes. */
export interface Profile {
  name: string;
  /** milliseconds that most calls and answers take */
  quick: [from: number, to: number];
  slow_share: number;
  /** milliseconds that the others take */
  slow: [from: number, to: number];
  /** share of calls that are refused or whose answer is lost */
  faults: number;
  /** how often the process crashes */
  crashes: number;
  /** how often an object or an instance is dropped from memory */
  evictions: number;
  /** when instances continue after a crash: production does it by itself, local development waits for an event */
  resume: "at once" | "when touched";
  /** one webhook sender fails at every call until the runs have ended */
  broken_sender: boolean;
  /** of the provider's gate; null: it has none */
  max_concurrency: number | null;
  /** every run starts runs */
  only_trees: boolean;
  /** after the runs, new ones come when the maintenance worker is about to sleep */
  quiet_hours: boolean;
  /** milliseconds over which runs are created */
  spread: number;
  /** milliseconds */
  maintenance_interval: number;
  /** milliseconds */
  model_latency: { from: number; to: number };
}

type Latency = Pick<Profile, "quick" | "slow_share" | "slow">;
const CALM: Latency = { quick: [0.1, 2], slow_share: 0, slow: [0, 0] };
const JITTERY: Latency = { quick: [0.1, 30], slow_share: 0.02, slow: [50, 1500] };
const STORMY: Latency = { quick: [0.1, 5], slow_share: 0.005, slow: [500, 30_000] };

/** Before the expected number of calls of a world, its crashes and evictions are due. */
const CALLS_OF_A_RUN = 700;

export function drawProfile(chance: Chance): Profile {
  const profile = drawAny(chance);
  // Nothing else is wrong there, so that nothing excuses what the broken sender holds up.
  return profile.broken_sender
    ? { ...profile, name: "broken sender", ...CALM, faults: 0, crashes: 0, evictions: 0 }
    : profile;
}

function drawAny(chance: Chance): Profile {
  const [name, latency] = chance.choose<[string, Latency]>([
    ["calm", CALM],
    ["jittery", JITTERY],
    ["stormy", STORMY],
  ]);
  return {
    name,
    ...latency,
    faults: chance.choose([0, 0, 0.01, 0.03]),
    crashes: chance.choose([0, 1, 2]),
    evictions: chance.choose([0, 0, 4]),
    resume: chance.choose<Profile["resume"]>(["at once", "when touched"]),
    broken_sender: chance.happens(0.15),
    only_trees: false,
    quiet_hours: chance.happens(0.15),
    max_concurrency: chance.choose([null, null, 2, 8]),
    spread: chance.choose([2000, 2000, 150_000]),
    maintenance_interval: chance.choose([2000, 5000]),
    model_latency: chance.choose([
      { from: 20, to: 300 },
      { from: 200, to: 3000 },
    ]),
  };
}

/** No faults: for mock runs. */
export const QUIET: Profile = {
  name: "quiet",
  ...CALM,
  faults: 0,
  crashes: 0,
  evictions: 0,
  resume: "at once",
  broken_sender: false,
  only_trees: false,
  quiet_hours: false,
  max_concurrency: null,
  spread: 2000,
  maintenance_interval: 1000,
  model_latency: { from: 20, to: 300 },
};

/** The errors of each service, as Cloudflare words them. */
const ERRORS: Partial<Record<Service, string[]>> = {
  d1: ["D1_ERROR: Network connection lost.", "D1_ERROR: D1 DB is overloaded. Requests queued for too long."],
  r2: ["get: We encountered an internal error. Please try again. (10001)", "Network connection lost."],
  object: ["Network connection lost.", "Durable Object reset because its machine was restarted."],
  workflow: ["(instance.internal_error) Internal error.", "Network connection lost."],
};
/** A call that takes longer counts as a trouble. Milliseconds. */
const SLOW = 400;
/** A call to one of these that was sent less than this time ago may be executed although its process has crashed. Milliseconds. */
const SURVIVES_FOR = 500;
const STORES: Service[] = ["d1", "r2"];
const NEVER_FAILS: Service[] = ["step", "crypto"];

/** Decides the fate of every call of one world. */
export class Fates {
  #calls = 0;
  /** Numbers of the calls at which something is due. */
  #crashes: Set<number>;
  #evictions: Set<number>;
  readonly profile: Profile;
  readonly chance: Chance;
  readonly now: () => number;
  readonly evict: () => void;
  /** When faults were injected, and calls were slow. */
  troubles: { from: number; to: number; slow: boolean }[] = [];
  /** False: nothing is injected any more. */
  active = true;
  /** What every call takes instead of the profile's times. Milliseconds. */
  pace: [from: number, to: number] | null = null;
  /** The object that fails at every call, as `Class/name`. */
  broken: string | null = null;

  constructor(
    profile: Profile,
    chance: Chance,
    { runs, now, evict }: { runs: number; now: () => number; evict: () => void },
  ) {
    this.profile = profile;
    this.chance = chance;
    this.now = now;
    this.evict = evict;
    const due = (count: number) => new Set(Array.from({ length: count }, () => chance.below(runs * CALLS_OF_A_RUN)));
    this.#crashes = due(profile.crashes);
    this.#evictions = due(profile.evictions);
  }

  of(call: Call): Fate {
    const number = this.#calls++;
    const { chance, profile, active } = this;
    if (active && this.#evictions.has(number)) this.evict();
    const crash = active && this.#crashes.has(number) ? chance.choose<"before" | "after">(["before", "after"]) : null;
    const broken = this.#isBroken(call);
    const fails = broken || (active && !NEVER_FAILS.includes(call.to) && chance.happens(profile.faults));
    const outcome = !fails
      ? "done"
      : call.writes && !broken
        ? chance.choose<Fate["outcome"]>(["refused", "lost"])
        : "refused";
    const [before, after] = [this.#latency(), this.#latency()];
    const slow = before + after > SLOW;
    if (fails || slow) this.troubles.push({ from: this.now(), to: this.now() + before + after, slow });
    return {
      before,
      after,
      outcome,
      crash,
      survives: STORES.includes(call.to) && before < SURVIVES_FOR && chance.happens(0.3),
    };
  }

  /** Whether a request between these times may have failed because of an injected trouble. */
  excuse = (from: number, to: number) => this.troubles.some((trouble) => trouble.from <= to && from <= trouble.to);

  wasSlow = (from: number, to: number) =>
    this.troubles.some((trouble) => trouble.slow && trouble.from <= to && from <= trouble.to);

  /**
   * When the calls are over that were slow between two times, or were begun meanwhile, and the slow ones that followed these: a commit is two calls,
   * the digest of its content and the transaction.
   */
  slowUntil(from: number, to: number) {
    const overAfter = (time: number) => {
      const late = this.troubles.filter((trouble) => trouble.slow && trouble.from <= time && from <= trouble.to);
      return Math.max(time, ...late.map((trouble) => trouble.to));
    };
    return overAfter(overAfter(to));
  }

  /** The first webhook sender that is called is the broken one. */
  #isBroken({ to, what }: Call) {
    if (!this.active || !this.profile.broken_sender || to !== "object" || !what.startsWith("WebhookSender/"))
      return false;
    this.broken ??= what.slice(0, what.indexOf("."));
    return what.startsWith(this.broken);
  }

  #latency() {
    const { chance, profile, active } = this;
    const slow = active && chance.happens(profile.slow_share);
    return chance.between(...(this.pace ?? (slow ? profile.slow : profile.quick)));
  }

  errorOf({ to }: Call): Error {
    return new Error(this.chance.choose(ERRORS[to] ?? []));
  }
}
