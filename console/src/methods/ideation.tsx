import { newestOf, useContents } from "../run/use-artifacts.ts";
import { plural } from "../shared/amounts.ts";
import type { PictureProps } from "./method-picture.tsx";
import { ArtifactLink, Drawing } from "./parts.tsx";

interface IdeaSet {
  ideas: { id: string; name: string; configuration?: string }[];
}

interface KeptIdeas {
  kept: string[];
  dropped: { idea: string; because: { cause: string; similar_to?: string; similarity?: number; reason?: string } }[];
}

interface Match {
  a: string;
  b: string;
  winner: string;
  reasons?: string[];
}

interface Ranking {
  rounds?: { round: number; matches: Match[]; bye?: string | null; scores: Record<string, number> }[];
}

/** The tournament and the similarity of the ideas: who won against whom and why, and which idea was dropped as too close to which. */
export function IdeationPicture({ run, artifacts }: PictureProps) {
  const [set] = useContents<IdeaSet>(run.id, artifacts.filter(({ kind }) => kind === "idea_set").slice(-1));
  const [kept] = useContents<KeptIdeas>(run.id, artifacts.filter(({ kind }) => kind === "kept_ideas").slice(-1));
  const [ranking] = useContents<Ranking>(run.id, artifacts.filter(({ kind }) => kind === "ranking").slice(-1));
  const proposals = artifacts.filter(({ kind }) => kind === "proposal_markdown");
  const judged = artifacts.filter(({ kind }) => kind === "match_verdict").length;
  if (!set) return null;
  const names = new Map(set.ideas.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    <section>
      <h2>Ideas</h2>
      <p>
        {plural(set.ideas.length, "idea")}
        {kept && `, ${kept.kept.length} kept`}
        {judged > 0 && `, ${plural(judged, "comparison")} judged`}.{" "}
        {proposals.map(({ id, subject }, at) => (
          <span key={id}>
            {at > 0 && ", "}
            <ArtifactLink run={run.id} id={id}>
              proposal {subject}
            </ArtifactLink>
          </span>
        ))}
      </p>
      {ranking?.rounds && <Standings rounds={ranking.rounds} nameOf={nameOf} />}
      <Drawing run={run.id} artifact={newestOf(artifacts, "bracket_svg")} title="Tournament" />
      <Drawing run={run.id} artifact={newestOf(artifacts, "similarity_svg")} title="Similarity of the ideas" />
      {kept && kept.dropped.length > 0 && (
        <>
          <h3>Dropped</h3>
          <ul>
            {kept.dropped.map(({ idea, because }) => (
              <li key={idea}>
                {nameOf(idea)}: {because.cause.replaceAll("_", " ")}
                {because.similar_to && ` to ${nameOf(because.similar_to)}`}
                {because.similarity !== undefined && ` (${because.similarity.toFixed(2)})`} {because.reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface StandingsProps {
  rounds: NonNullable<Ranking["rounds"]>;
  nameOf: (id: string) => string;
}

function Standings({ rounds, nameOf }: StandingsProps) {
  const scores = Object.entries(rounds.at(-1)?.scores ?? {}).toSorted(([, one], [, other]) => other - one);
  return (
    <>
      <div className="scroll" role="region" aria-label="Ranking" tabIndex={0}>
        <table className="standings">
          <thead>
            <tr>
              <th>Idea</th>
              <th className="number">Score</th>
              {rounds.map(({ round }) => (
                <th key={round}>Round {round}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scores.map(([id, score]) => (
              <tr key={id}>
                <td>
                  <span className="quiet">{id}</span> {nameOf(id)}
                </td>
                <td className="number">{score}</td>
                {rounds.map(({ round, matches }) => (
                  <td key={round}>
                    <MatchOf id={id} match={matches.find(({ a, b }) => a === id || b === id)} nameOf={nameOf} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function MatchOf({ id, match, nameOf }: { id: string; match: Match | undefined; nameOf: (id: string) => string }) {
  if (!match) return <span className="quiet">bye</span>;
  const won = match.winner === id;
  const other = match.a === id ? match.b : match.a;
  return (
    <span
      className={won ? "won" : "quiet"}
      title={`${won ? "Beat" : "Lost to"} ${nameOf(other)}. ${match.reasons?.join(" ") ?? ""}`}
    >
      {won ? "beat" : "lost to"} {other}
    </span>
  );
}
