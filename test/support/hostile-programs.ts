/** Programs that attack the sandbox, by their names. */
type Sources = Record<string, string>;

const byName = (sources: Sources): Sources =>
  Object.fromEntries(
    Object.entries(sources).map(([path, source]) => [path.split("/").pop()!.replace(".js", ""), source]),
  );

/** Each says in its first line how it must end. */
export const OUR_PROGRAMS = byName(
  import.meta.glob("../fixtures/programs/*.js", { query: "?raw", import: "default", eager: true }),
);

/** More of them, from `../shared` beside the repository; none in a clone. */
export const SHARED_PROGRAMS = byName(
  import.meta.glob("../../../shared/spikes/sandbox/hostile-programs/*.js", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
