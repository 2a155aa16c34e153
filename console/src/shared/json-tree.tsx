import { useState } from "react";

type Json = unknown;

/** How many entries of a list or an object are shown at first. */
const STEP = 100;

/** A JSON value as a tree to open and close. Texts are shown as texts: nothing in them is ever markup. */
export const JsonTree = ({ value, open = 2 }: { value: Json; open?: number }) => (
  <div className="json">
    <Node value={value} open={open} />
  </div>
);

function Node({ name, value, open }: { name?: string; value: Json; open: number }) {
  const label = name === undefined ? null : <span className="json-name">{name}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div>
        {label}
        <Leaf value={value} />
      </div>
    );
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div>
        {label}
        {size}
      </div>
    );
  return <Branch label={label} size={size} entries={entries} open={open} />;
}

function Branch({
  label,
  size,
  entries,
  open,
}: {
  label: React.ReactNode;
  size: string;
  entries: [string, Json][];
  open: number;
}) {
  const [isOpen, setOpen] = useState(open > 0);
  const [most, setMost] = useState(STEP);
  return (
    <details
      open={isOpen}
      onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}
    >
      <summary>
        {label}
        <span className="quiet">{size}</span>
      </summary>
      {isOpen &&
        entries.slice(0, most).map(([name, value]) => <Node key={name} name={name} value={value} open={open - 1} />)}
      {isOpen && entries.length > most && (
        <button type="button" className="plain" onClick={() => setMost(most + STEP)}>
          {entries.length - most} more
        </button>
      )}
    </details>
  );
}

const Leaf = ({ value }: { value: Json }) => (
  <span className={`json-${value === null ? "null" : typeof value}`}>
    {typeof value === "string" ? value : JSON.stringify(value)}
  </span>
);
