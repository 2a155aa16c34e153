/**
 * How a world treats the calls of its process: how long they take, which of them fail, and when the process crashes.
 * @typedef {object} Profile
 * @property {string} name
 * @property {[from: number, to: number]} quick milliseconds that most calls and answers take
 * @property {number} slow_share
 * @property {[from: number, to: number]} slow milliseconds that the others take
 * @property {number} faults share of calls that are refused or whose answer is lost
 * @property {number} crashes how often the process crashes
 * @property {number} evictions how often an object or an instance is dropped from memory
 * @property {"at once" | "when touched"} resume when instances go on after a crash: production does it by itself, local development waits
 *   for an event
 * @property {boolean} broken_sender one webhook sender fails at every call until the runs have ended
 * @property {number | null} max_concurrency of the provider's gate; null: it has none
 * @property {boolean} only_trees every run starts runs
 * @property {boolean} quiet_hours after the runs, new ones come when the keeper is about to sleep
 * @property {number} spread milliseconds over which runs are created
 * @property {number} keeper_interval milliseconds
 * @property {{from: number, to: number}} model_latency milliseconds
 */

const CALM = { quick: [0.1, 2], slow_share: 0, slow: [0, 0] };
const JITTERY = { quick: [0.1, 30], slow_share: 0.02, slow: [50, 1500] };
const STORMY = { quick: [0.1, 5], slow_share: 0.005, slow: [500, 30_000] };

/** Before the expected number of calls of a world, its crashes and evictions are due. */
const CALLS_OF_A_RUN = 700;

/**
 * @param {import("./chance.mjs").Chance} chance
 * @returns {Profile}
 */
export function drawProfile(chance) {
  const profile = drawAny(chance);
  // Nothing else is wrong there, so that nothing excuses what the broken sender holds up.
  return profile.broken_sender
    ? { ...profile, name: "broken sender", ...CALM, faults: 0, crashes: 0, evictions: 0 }
    : profile;
}

/** @returns {Profile} */
function drawAny(chance) {
  const [name, latency] = chance.choose([
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
    resume: chance.choose(["at once", "when touched"]),
    broken_sender: chance.happens(0.15),
    only_trees: false,
    quiet_hours: chance.happens(0.15),
    max_concurrency: chance.choose([null, null, 2, 8]),
    spread: chance.choose([2000, 2000, 150_000]),
    keeper_interval: chance.choose([2000, 5000]),
    model_latency: chance.choose([
      { from: 20, to: 300 },
      { from: 200, to: 3000 },
    ]),
  };
}

/** No faults: for rehearsals. @type {Profile} */
export const QUIET = {
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
  keeper_interval: 1000,
  model_latency: { from: 20, to: 300 },
};

/** The errors of each service, as Cloudflare words them. */
const ERRORS = {
  d1: ["D1_ERROR: Network connection lost.", "D1_ERROR: D1 DB is overloaded. Requests queued for too long."],
  r2: ["get: We encountered an internal error. Please try again. (10001)", "Network connection lost."],
  object: ["Network connection lost.", "Durable Object reset because its machine was restarted."],
  workflow: ["(instance.internal_error) Internal error.", "Network connection lost."],
};
/** A call that takes longer counts as a trouble. Milliseconds. */
const SLOW = 400;
/** A call to one of these that was sent less than this time ago may be executed although its process has crashed. Milliseconds. */
const SURVIVES_FOR = 500;
const STORES = ["d1", "r2"];
const NEVER_FAILS = ["step", "crypto"];

/** Decides the fate of every call of one world. */
export class Fates {
  #calls = 0;
  /** Numbers of the calls at which something is due. */
  #crashes;
  #evictions;
  /** When faults were injected, and calls were slow. @type {{from: number, to: number, slow: boolean}[]} */
  troubles = [];
  /** False: nothing is injected any more. */
  active = true;
  /** What every call takes instead of the profile's times. Milliseconds. @type {[from: number, to: number] | null} */
  pace = null;
  /** The object that fails at every call, as `Class/name`. @type {string | null} */
  broken = null;

  /**
   * @param {Profile} profile
   * @param {import("./chance.mjs").Chance} chance
   * @param {{runs: number, now: () => number, evict: () => void}} world
   */
  constructor(profile, chance, { runs, now, evict }) {
    Object.assign(this, { profile, chance, now, evict });
    const due = (count) => new Set(Array.from({ length: count }, () => chance.below(runs * CALLS_OF_A_RUN)));
    this.#crashes = due(profile.crashes);
    this.#evictions = due(profile.evictions);
  }

  /** @returns {import("./scheduler.mjs").Fate} */
  of(call) {
    const number = this.#calls++;
    const { chance, profile, active } = this;
    if (active && this.#evictions.has(number)) this.evict();
    const crash = active && this.#crashes.has(number) ? chance.choose(["before", "after"]) : null;
    const broken = this.#isBroken(call);
    const fails = broken || (active && !NEVER_FAILS.includes(call.to) && chance.happens(profile.faults));
    const outcome = !fails ? "done" : call.writes && !broken ? chance.choose(["refused", "lost"]) : "refused";
    const [before, after] = [this.#latency(), this.#latency()];
    const slow = before + after > SLOW;
    if (fails || slow) this.troubles.push({ from: this.now(), to: this.now() + before + after, slow });
    return {
      before,
      after,
      outcome,
      crash: /** @type {"before" | "after" | null} */ (crash),
      survives: STORES.includes(call.to) && before < SURVIVES_FOR && chance.happens(0.3),
    };
  }

  /** Whether a request between these times may have failed because of an injected trouble. */
  excuse = (from, to) => this.troubles.some((trouble) => trouble.from <= to && from <= trouble.to);

  wasSlow = (from, to) => this.troubles.some((trouble) => trouble.slow && trouble.from <= to && from <= trouble.to);

  /**
   * When the calls are over that were slow between two times, or were begun meanwhile, and the slow ones that followed these: a commit is two calls,
   * the digest of its content and the transaction.
   */
  slowUntil(from, to) {
    const overAfter = (time) => {
      const late = this.troubles.filter((trouble) => trouble.slow && trouble.from <= time && from <= trouble.to);
      return Math.max(time, ...late.map((trouble) => trouble.to));
    };
    return overAfter(overAfter(to));
  }

  /** The first webhook sender that is called is the broken one. */
  #isBroken({ to, what }) {
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

  /** @returns {Error} */
  errorOf({ to }) {
    return new Error(this.chance.choose(ERRORS[to]));
  }
}
