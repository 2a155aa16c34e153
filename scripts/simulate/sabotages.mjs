/**
 * Faults that are put into the source before a simulation, to prove that it finds them: `npm run simulate -- --sabotage <name>`.
 * @type {Record<string, { what: string, edits: { file: string, from: string, to: string }[] }>}
 */
export const SABOTAGES = {
  "no-epoch-fence": {
    what: "Writes of an instance do not ask for its epoch: one that outlived its run writes into the run's next epoch.",
    edits: [
      {
        file: "src/store/run-state.ts",
        from: "export const OWNED = `id = ?1 AND epoch = ?2 AND ${ALIVE}`;",
        to: "export const OWNED = `id = ?1 AND ?2 > 0 AND ${ALIVE}`;",
      },
    ],
  },
};
