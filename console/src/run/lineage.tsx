import { memo, useMemo } from "react";
import { Link } from "wouter";
import type { Artifact, Run } from "../parley.ts";
import { plural } from "../shared/amounts.ts";
import { useSlices } from "../shared/use-slices.ts";

const nameOf = ({ kind, version }: Artifact) => `${kind} ${version}`;

/** Remembered: a table may have thousands, and grows. */
const Row = memo(function Row({
  run,
  artifact,
  names,
}: {
  run: string;
  artifact: Artifact;
  names: ReadonlyMap<string, string>;
}) {
  const { id, subject, step, inputs } = artifact;
  return (
    <tr>
      <td>
        <Link href={`/runs/${run}/artifacts?artifact=${id}`}>{nameOf(artifact)}</Link>{" "}
        <span className="quiet">{subject}</span>
      </td>
      <td>
        <code>{step}</code>
      </td>
      <td className="quiet">{inputs.map((input) => names.get(input) ?? "another run's").join(", ")}</td>
    </tr>
  );
});

/** Where a run comes from and what it has started; and for each artifact what it was made from. */
export function Lineage({ run, artifacts }: { run: Run; artifacts: Artifact[] }) {
  const names = useMemo(() => new Map(artifacts.map((artifact) => [artifact.id, nameOf(artifact)])), [artifacts]);
  const shown = useSlices(artifacts);
  return (
    <section>
      <h2>Lineage</h2>
      {run.parent_id && (
        <p>
          Started by <Link href={`/runs/${run.parent_id}`}>{run.parent_id}</Link>
        </p>
      )}
      {run.children && (
        <p>
          It has started <Link href={`/runs?parent_id=${run.id}`}>{plural(run.children.total, "run")}</Link>:{" "}
          {run.children.completed} completed, {run.children.failed} failed, {run.children.running + run.children.queued}{" "}
          not ended.
        </p>
      )}
      <div className="scroll" role="region" aria-label="Lineage" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Artifact</th>
              <th>Act</th>
              <th>Made from</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((artifact) => (
              <Row key={artifact.id} run={run.id} artifact={artifact} names={names} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
