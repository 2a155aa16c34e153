import type { Profile } from "./fates.ts";

/** A text in a file of the repository, and what is there instead. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/** Worlds in which calls of a tree are cut off often. */
const TREES = { only_trees: true, faults: 0.05, crashes: 6, evictions: 4, quiet_hours: false, broken_sender: false };

/**
 * Faults that are put into the source before a simulation, to prove that it finds them: `npm run simulate -- --sabotage <name>` stops at the
 * first violation that shows the `sign`. `focus` names worlds in which it shows soon.
 */
export const SABOTAGES: Record<string, { what: string; sign: RegExp; focus: Partial<Profile>; edits: Edit[] }> = {
  "doubled-post": {
    what: "The key of a POST is not completed in the transaction that writes: a lost answer makes the thing twice.",
    sign: /one POST .* made \d+ things|was created \d+ times|had \d+ answers/,
    focus: { faults: 0.05, quiet_hours: false, broken_sender: false },
    edits: [
      {
        file: "src/store/idempotency.ts",
        from: "completion ? await this.completionStatements(completion) : []",
        to: "[]",
      },
    ],
  },
  "maintenance-sleeps": {
    what: "The maintenance worker goes to sleep although it was armed while it looked for the next expiry.",
    sign: /the maintenance worker sleeps/,
    focus: { faults: 0, quiet_hours: true, broken_sender: false },
    edits: [
      {
        file: "src/cloudflare/maintenance-worker.ts",
        from: "    if (this.armedAt !== armedAt) return awake;\n",
        to: "",
      },
    ],
  },
  "lost-release": {
    what: "The return of a provider's permit is not repeated when it fails.",
    sign: /the permit of .* was not returned/,
    focus: {
      faults: 0.05,
      max_concurrency: 2,
      slow_share: 0,
      quick: [0.1, 2],
      crashes: 0,
      evictions: 0,
      quiet_hours: false,
      broken_sender: false,
    },
    edits: [
      {
        file: "src/llm/limits/acquire-permit.ts",
        from: "withRetry(() => gates.release(provider, ticket.id, granted, outcome)).catch(",
        to: "gates.release(provider, ticket.id, granted, outcome).catch(",
      },
    ],
  },
  "sender-starves": {
    what: "A part of the maintenance pass that fails ends the pass, and one webhook sender fails the part.",
    sign: /the tenant .* is still there/,
    focus: {
      broken_sender: true,
      quick: [0.1, 2],
      slow_share: 0,
      faults: 0,
      crashes: 0,
      evictions: 0,
      quiet_hours: false,
    },
    edits: [
      {
        file: "src/services/maintenance/sweep.ts",
        from: "each([{ id }], () => within(WAKE_TIMEOUT_MS, wake([id])))",
        to: "within(WAKE_TIMEOUT_MS, wake([id]))",
      },
      {
        file: "src/services/maintenance/sweep.ts",
        from: "      failed.push(name);\n",
        to: "      failed.push(name);\n      throw error;\n",
      },
    ],
  },
  "no-epoch-fence": {
    what: "Writes of an instance do not ask for its epoch: one that outlived its run writes into the run's next epoch.",
    sign: /an instance of epoch \d+ wrote/,
    focus: { model_latency: { from: 200, to: 3000 }, quiet_hours: false, broken_sender: false },
    edits: [
      {
        file: "src/store/run-state.ts",
        from: "export const OWNED = `id = ?1 AND epoch = ?2 AND ${NOT_ENDED}`;",
        to: "export const OWNED = `id = ?1 AND ?2 > 0 AND ${NOT_ENDED}`;",
      },
    ],
  },
  "doubled-child": {
    what: "A stage that is entered again takes its children for missing ones once, and no unique key refuses them.",
    sign: /has \d+ children .* in |children instead of/,
    focus: TREES,
    edits: [
      {
        file: "migrations/0003_runs.sql",
        from: "CREATE UNIQUE INDEX runs_by_parent",
        to: "CREATE INDEX runs_by_parent",
      },
      {
        file: "src/store/children.ts",
        from: " ON CONFLICT (parent_id, child_group, child_key) WHERE parent_id IS NOT NULL DO NOTHING",
        to: "",
      },
      {
        file: "src/engine/children/children.ts",
        from: "  if (stored < children.length) await startMissing",
        to: "  if (stored < 2 * children.length) await startMissing",
      },
      { file: "src/engine/children/children.ts", from: "children.filter((key) => !stored.has(key))", to: "children" },
    ],
  },
  "parent-sleeps": {
    what: "The maintenance worker does not send the event again that the last child sends to its parent.",
    sign: /still waits, and its last child ended/,
    focus: TREES,
    edits: [
      {
        file: "src/services/maintenance/sweep.ts",
        from: "each(await store.children.awaitingParents(BATCH), (run) => wakeUp(services, run))",
        to: "store.children.awaitingParents(BATCH)",
      },
    ],
  },
  "children-left-behind": {
    what: "The cancel of a run does not reach its children.",
    sign: /is alive, and its parent/,
    focus: TREES,
    edits: [
      {
        file: "src/store/children.ts",
        from: "WHERE parent_id = ?1 AND ${NOT_ENDED} AND ${condition} RETURNING id, epoch, paused, pauses",
        to: "WHERE parent_id = ?1 AND 1 = 0 AND ${condition} RETURNING id, epoch, paused, pauses",
      },
    ],
  },
  "removed-parent-forgotten": {
    what: "The maintenance worker does not remove the children of a removed run.",
    sign: /was removed, and its child/,
    focus: TREES,
    edits: [
      {
        file: "src/services/maintenance/sweep.ts",
        from: '    ["children of removed runs", () => removeChildren(services)],\n',
        to: "",
      },
    ],
  },
};

/** @throws Error when the text is there not exactly once: the source has changed, and the sabotage must follow it */
export function applied(source: string, { file, from, to }: Edit) {
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold this text once: ${from}`);
  return source.replace(from, () => to);
}
