import { useSearchParams } from "wouter";
import { useWorkflows } from "../parley.ts";
import { statusLabel } from "../shared/status.tsx";

const STATUSES = ["queued", "running", "input_required", "paused", "completed", "failed", "canceled"] as const;

/** What the list of runs is narrowed to, read from the address. */
export interface Filters {
  status?: (typeof STATUSES)[number];
  workflow?: string;
  parent_id?: string;
  created_after?: string;
}

export function filtersOf(search: URLSearchParams): Filters {
  const status = STATUSES.find((known) => known === search.get("status"));
  const [workflow, parent_id, created_after] = ["workflow", "parent_id", "created_after"].map((name) =>
    search.get(name),
  );
  return {
    ...(status && { status }),
    ...(workflow && { workflow }),
    ...(parent_id && { parent_id }),
    ...(created_after && { created_after }),
  };
}

const AGES = [
  ["the last hour", 3_600_000],
  ["the last day", 86_400_000],
  ["the last week", 604_800_000],
] as const;

/** Selects that write the filters into the address, from the first page. */
export function RunFilters() {
  const [search, setSearch] = useSearchParams();
  const { data: workflows = [] } = useWorkflows();
  const set = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.delete("cursor");
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    });
  const since = search.get("created_after") ?? "";
  return (
    <form className="filters" role="search" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Status
        <select value={search.get("status") ?? ""} onChange={({ target }) => set("status", target.value)}>
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {statusLabel(status)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Workflow
        <select value={search.get("workflow") ?? ""} onChange={({ target }) => set("workflow", target.value)}>
          <option value="">any</option>
          {workflows.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Created in
        <select
          value={since && "set"}
          onChange={({ target }) =>
            set("created_after", target.value && new Date(Date.now() - Number(target.value)).toISOString())
          }
        >
          <option value="">all time</option>
          {since && <option value="set">since {new Date(since).toLocaleString()}</option>}
          {AGES.map(([words, ms]) => (
            <option key={ms} value={ms}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {[...search.keys()].some((name) => name !== "cursor") && (
        <button type="button" className="plain" onClick={() => setSearch({})}>
          Clear filters
        </button>
      )}
    </form>
  );
}
