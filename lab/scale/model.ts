import { MAINTENANCE, LIMITS, PRICES, RUN } from "./limits.ts";

export interface Load {
  /** over which tenants are spread evenly */
  databases: number;
  /** time of a database that one round trip takes */
  round_trip_ms: number;
  /** runs that wait for a person at the start */
  parked: number;
  /** new runs */
  starts_a_minute: number;
  /** seconds that a run works before its question, and again after the answer */
  stay_s: number;
  maintenance_interval_s: number;
  /** that are simulated */
  hours: number;
  seed: number;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Adds to a number of a list. */
function add(list: Float64Array | Int32Array, at: number, more: number) {
  list[at] = (list[at] ?? 0) + more;
}

/** How many of independent rare things happen: a Poisson number, by multiplication; in parts, so that `mean` may be large. */
function countOf(random: () => number, mean: number) {
  let count = 0;
  for (let left = mean; left > 0; left -= 20) {
    const bound = Math.exp(-Math.min(left, 20));
    for (let product = random(); product > bound; product *= random()) count++;
  }
  return count;
}

/**
 * Runs a deployment second by second. Runs start and people answer at random; every answer takes as long on average as keeps the number of
 * waiting runs where it is. D1 executes one round trip at a time in each database; what it cannot execute in its second waits.
 */
export function simulate(load: Load) {
  const { databases, round_trip_ms, starts_a_minute, stay_s, maintenance_interval_s, hours, seed } = load;
  const random = randomOf(seed);
  const seconds = hours * 3600;
  const capacity = (databases * 1000) / round_trip_ms;
  const answer_rate = starts_a_minute / 60 / load.parked;
  const demand = new Float64Array(seconds + stay_s + 1); // round trips by second
  const changes = new Int32Array(seconds + stay_s + 1);
  const change = (at: number, counts: number) => {
    add(changes, at, counts);
    add(changes, at + stay_s, -counts);
    for (let second = at; second < at + stay_s; second++) add(demand, second, (counts * RUN.round_trips) / 2 / stay_s);
  };
  const ends = new Int32Array(seconds + stay_s + 1);
  const parks = new Int32Array(seconds + stay_s + 1);
  const waits: number[] = [];
  let { parked } = load;
  let queued = 0; // for a start of an instance
  let most_queued = 0;
  let backlog = 0; // round trips
  let running = 0;
  let most_running = 0;
  let archivable = 0;
  let used = 0;
  for (let now = 0; now < seconds; now++) {
    queued += countOf(random, starts_a_minute / 60);
    const started = Math.min(queued, LIMITS.starts_a_second);
    queued -= started;
    most_queued = Math.max(most_queued, queued);
    change(now, started);
    add(parks, now + stay_s, started);
    parked += parks[now] ?? 0;
    const answered = Math.min(parked, countOf(random, parked * answer_rate));
    parked -= answered;
    change(now, answered);
    add(ends, now + stay_s, answered);
    archivable += ends[now] ?? 0;
    running += changes[now] ?? 0;
    most_running = Math.max(most_running, running);
    if (now % maintenance_interval_s === 0) {
      const archived = Math.min(archivable, MAINTENANCE.archives);
      archivable -= archived;
      const nudged = Math.min(MAINTENANCE.nudges, (parked * maintenance_interval_s) / MAINTENANCE.nudge_after_s);
      add(demand, now, archived * MAINTENANCE.archive_round_trips + nudged);
    }
    const wanted = backlog + (demand[now] ?? 0);
    const executed = Math.min(wanted, capacity);
    used += executed;
    backlog = wanted - executed;
    waits.push(backlog / capacity);
  }
  waits.sort((a, b) => a - b);
  return {
    utilisation: used / (capacity * seconds),
    wait_p99_s: waits[Math.floor(waits.length * 0.99)] ?? 0,
    backlog_s: backlog / capacity,
    most_running,
    most_queued,
    parked,
    archivable,
    round_of_nudges_h: (parked / MAINTENANCE.nudges) * (maintenance_interval_s / 3600),
  };
}

/** What is stored once as many runs are removed as are started. */
export function stored(
  { parked, starts_a_minute }: Pick<Load, "parked" | "starts_a_minute">,
  { archive_after_h, retention_days }: { archive_after_h: number; retention_days: number },
) {
  const unarchived = parked + starts_a_minute * 60 * archive_after_h;
  const archived = starts_a_minute * 1440 * Math.max(0, retention_days - archive_after_h / 24);
  const database_bytes = unarchived * RUN.bytes + archived * RUN.archived_bytes;
  return {
    database_gb: database_bytes / 1e9,
    bucket_gb: (archived * RUN.object_bytes) / 1e9,
    databases: Math.ceil(database_bytes / LIMITS.database_bytes),
  };
}

/** Dollars of a month of 30 days, by what is paid for; models are not in it. */
export function monthly(starts_a_minute: number, { database_gb, bucket_gb }: ReturnType<typeof stored>) {
  const runs = starts_a_minute * 1440 * 30;
  const units = {
    rows_written: runs * RUN.rows_written * 2, // archiving deletes each row once
    object_requests: runs * RUN.object_requests,
    worker_requests: runs * RUN.worker_requests,
    bucket_writes: runs,
    bucket_reads: runs, // each archive is read again
    database_gb,
    bucket_gb,
  };
  return Object.fromEntries(
    Object.entries(units).map(([name, count]) => {
      const price = PRICES[name as keyof typeof PRICES];
      const each = "a_gb" in price ? price.a_gb : price.a_million / 1e6;
      return [name, { units: count, dollars: Math.max(0, count - price.included) * each }];
    }),
  );
}
