import { useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Artifact, Run } from "../parley.ts";
import { humanize, plural, formatBytes, formatCost, tokensOf } from "../shared/amounts.ts";
import { ProblemBox } from "../shared/problem.tsx";
import { formatDuration } from "../shared/time.tsx";
import { ArtifactContent } from "./artifact-content.tsx";
import { Versions } from "./versions.tsx";
import { useArtifact } from "./use-artifacts.ts";

/** All artifacts of a run beside the one that the address names. */
export default function Artifacts({ run, artifacts }: { run: Run; artifacts: Artifact[] }) {
  const [search] = useSearchParams();
  const [words, setWords] = useState("");
  const chosen = artifacts.find(({ id }) => id === search.get("artifact")) ?? artifacts.at(-1);
  const groups = useMemo(() => byStage(artifacts.filter((artifact) => fits(artifact, words))), [artifacts, words]);
  if (!chosen) return <p className="empty">Nothing has been made yet.</p>;
  return (
    <div className="beside">
      <div className="artifact-list">
        <h2 className="hidden">All artifacts</h2>
        <div className="field">
          <label htmlFor="find">Find among {plural(artifacts.length, "artifact")}</label>
          <input
            id="find"
            type="search"
            value={words}
            onChange={({ target }) => setWords(target.value)}
            placeholder="kind, role, step"
          />
        </div>
        {[...groups].map(([stage, members]) => (
          <section key={stage}>
            <h3>{humanize(stage)}</h3>
            <ul>
              {members.map(({ id, kind, subject, version, step }) => (
                <li key={id}>
                  <Link
                    href={`/runs/${run.id}/artifacts?artifact=${id}`}
                    aria-current={id === chosen.id ? "true" : undefined}
                    title={step}
                  >
                    {humanize(kind)} {subject && <span className="quiet">{subject}</span>}
                    {version > 1 && <span className="version">v{version}</span>}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.size === 0 && <p className="quiet">None fits.</p>}
      </div>
      <OneArtifact key={chosen.id} run={run} artifact={chosen} artifacts={artifacts} />
    </div>
  );
}

const fits = ({ kind, subject, role, step }: Artifact, words: string): boolean =>
  `${kind} ${subject} ${role} ${step}`.toLowerCase().includes(words.trim().toLowerCase());

function byStage(artifacts: readonly Artifact[]): Map<string, Artifact[]> {
  const groups = new Map<string, Artifact[]>();
  for (const artifact of artifacts) {
    const members = groups.get(artifact.stage);
    if (members) members.push(artifact);
    else groups.set(artifact.stage, [artifact]);
  }
  return groups;
}

function OneArtifact({ run, artifact, artifacts }: { run: Run; artifact: Artifact; artifacts: Artifact[] }) {
  const { data, error } = useArtifact(run.id, artifact.id);
  const [other, setOther] = useState("");
  const versions = artifacts.filter(
    ({ kind, subject, id }) => kind === artifact.kind && subject === artifact.subject && id !== artifact.id,
  );
  return (
    <article className="artifact">
      <h2>
        {humanize(artifact.kind)} {artifact.subject && <span className="quiet">{artifact.subject}</span>}
      </h2>
      <p className="quiet">
        version {artifact.version}, by {artifact.role}
        {artifact.model && `, with ${artifact.model}`}, {formatDuration(artifact.duration_ms)},{" "}
        {formatBytes(artifact.size)}
        {artifact.model && `, ${tokensOf(artifact.usage)} tokens, ${formatCost(artifact.usage.cost_usd)}`}
        {artifact.repairs > 0 && `, repaired ${artifact.repairs} times`}
        {artifact.tries > 1 && `, ${artifact.tries} tries`}
      </p>
      {versions.length > 0 && (
        <div className="field inline">
          <label htmlFor="compare">Compare with</label>
          <select id="compare" value={other} onChange={({ target }) => setOther(target.value)}>
            <option value="">no other version</option>
            {versions.map(({ id, version, step }) => (
              <option key={id} value={id}>
                version {version}: {step}
              </option>
            ))}
          </select>
        </div>
      )}
      {error && <ProblemBox error={error} />}
      {other ? (
        <Versions run={run.id} one={artifact} other={versions.find(({ id }) => id === other)!} />
      ) : data ? (
        <ArtifactContent artifact={data} />
      ) : (
        !error && <p className="quiet">Loading …</p>
      )}
      <Origins run={run.id} artifact={artifact} artifacts={artifacts} />
    </article>
  );
}

/** What an artifact was made from, and what was made from it. */
function Origins({ run, artifact, artifacts }: { run: string; artifact: Artifact; artifacts: Artifact[] }) {
  const from = artifacts.filter(({ id }) => artifact.inputs.includes(id));
  const to = artifacts.filter(({ inputs }) => inputs.includes(artifact.id));
  return (
    <footer className="origins">
      <ArtifactLinks run={run} title="Made from" artifacts={from} />
      <ArtifactLinks run={run} title="Led to" artifacts={to} />
    </footer>
  );
}

function ArtifactLinks({ run, title, artifacts }: { run: string; title: string; artifacts: Artifact[] }) {
  if (artifacts.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {artifacts.map(({ id, kind, subject, version }) => (
          <li key={id}>
            <Link href={`/runs/${run}/artifacts?artifact=${id}`}>
              {humanize(kind)} {subject} {version > 1 && `v${version}`}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
