/** The entry that is served: src/worker.ts, or the one that a test puts in its place (`buildHost`). */
declare module "parley:worker" {
  const worker: Record<string, unknown>;
  export = worker;
}

/** The files of `migrations/`, in their order. */
declare module "parley:migrations" {
  const migrations: readonly (readonly [name: string, sql: string])[];
  export default migrations;
}

/** VERSION of wrangler.toml. */
declare const VERSION: string;
