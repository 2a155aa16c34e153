/** What a deployment on Cloudflare is bounded by and pays, and what a run of `requirements` takes of it (docs/scale.md names the sources). */

/** Published limits of the paid plan. */
export const LIMITS = {
  /** Bytes of one database of D1. */
  database_bytes: 10e9,
  /** Instances of Workflows that may be started in a second. */
  starts_a_second: 100,
  /** Instances of Workflows that may run at once; waiting ones do not count. */
  running_instances: 50_000,
};

/** Dollars a month: included units, and what a million more (or a GB) costs. */
export const PRICES = {
  rows_written: { included: 50e6, a_million: 1 },
  object_requests: { included: 1e6, a_million: 0.15 },
  worker_requests: { included: 10e6, a_million: 0.3 },
  bucket_writes: { included: 1e6, a_million: 4.5 },
  bucket_reads: { included: 10e6, a_million: 0.36 },
  database_gb: { included: 5, a_gb: 0.75 },
  bucket_gb: { included: 10, a_gb: 0.015 },
};

/** A recorded run of `requirements` in test mode: 19 artifacts, one question. */
export const RUN = {
  round_trips: 33,
  rows_written: 301,
  /** Bytes of D1 before it is archived, and after. */
  bytes: 72_000,
  archived_bytes: 4020,
  /** Bytes of its archive in R2. */
  object_bytes: 11_000,
  /** One call of the committer for each step and each stage, and one of the rate limiter for each request of the API; rounded up. */
  object_requests: 35,
  /** Requests of the API: a start, an answer, a result; and the start of an instance. */
  worker_requests: 4,
};

/** The maintenance worker, with the default interval. */
export const MAINTENANCE = {
  interval_s: 10,
  /** Runs that a maintenance pass archives at most, and round trips for each. */
  archives: 100,
  archive_round_trips: 8,
  /** Waiting runs that a pass wakes at most. */
  nudges: 200,
  /** How long a waiting run is silent before it is woken. Seconds. */
  nudge_after_s: 3600,
};
