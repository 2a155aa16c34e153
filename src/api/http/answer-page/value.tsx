import { humanize, isRecord } from "#services/interactions/form-fields";

/** Deeper values are shown as JSON. */
const MAX_DEPTH = 6;

/** JSON for people: names with values, and lists. */
export const Value = ({ value, depth = 0 }: { value: unknown; depth?: number }) => {
  if (value === null || value === undefined || value === "") return <span class="quiet">none</span>;
  if (typeof value === "boolean") return <>{value ? "Yes" : "No"}</>;
  if (typeof value !== "object") return <span class="said">{String(value)}</span>;
  if (depth >= MAX_DEPTH) return <pre>{JSON.stringify(value, null, 2)}</pre>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="quiet">none</span>;
    return (
      <ul class={value.some((entry) => typeof entry === "object") ? "entries" : ""}>
        {value.map((entry) => (
          <li>
            <Value value={entry} depth={depth + 1} />
          </li>
        ))}
      </ul>
    );
  }
  const entries = Object.entries(isRecord(value) ? value : {});
  if (entries.length === 0) return <span class="quiet">none</span>;
  return (
    <dl>
      {entries.map(([name, inner]) => (
        <div>
          <dt>{humanize(name)}</dt>
          <dd>
            <Value value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
};
