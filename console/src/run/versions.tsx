import { useMemo } from "react";
import type { Artifact } from "../parley.ts";
import { plural } from "../shared/amounts.ts";
import { lineDiff } from "../shared/line-diff.ts";
import { sourceOf } from "./artifact-content.tsx";
import { useArtifact } from "./use-artifacts.ts";

const SIGNS = { same: " ", added: "+", removed: "−" };

/** Two versions of an artifact, line by line: the older one as what is removed. */
export function Versions({ run, one, other }: { run: string; one: Artifact; other: Artifact }) {
  const [older, newer] = one.created_at <= other.created_at ? [one, other] : [other, one];
  const { data: before } = useArtifact(run, older.id);
  const { data: after } = useArtifact(run, newer.id);
  const lines = useMemo(
    () => (before && after ? lineDiff(sourceOf(before.content), sourceOf(after.content)) : null),
    [before, after],
  );
  if (!lines) return <p className="quiet">Loading …</p>;
  const count = (is: string) => lines.filter((line) => line.is === is).length;
  return (
    <>
      <p role="status">
        From version {older.version} to version {newer.version}: {plural(count("added"), "line")} added,{" "}
        {count("removed")} removed.
      </p>
      <pre className="diff">
        {lines.map(({ is, text }, index) => (
          <div key={index} className={is}>
            <span aria-hidden="true">{SIGNS[is]} </span>
            {is !== "same" && <span className="hidden">{is}: </span>}
            {text}
          </div>
        ))}
      </pre>
    </>
  );
}
