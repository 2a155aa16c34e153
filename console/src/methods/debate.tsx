import type { Artifact } from "../parley.ts";
import { newestOf, useContents } from "../run/use-artifacts.ts";
import { humanize } from "../shared/amounts.ts";
import {
  type Authorities,
  type CitationCheck,
  type DebateRecord,
  type ResolvedCitation,
  resolveCitations,
  type Turn,
  type Verdict,
} from "./debate-content.ts";
import type { PictureProps } from "./method-picture.tsx";
import { ArtifactLink, Drawing } from "./parts.tsx";

const TURNS = ["brief", "cross_question", "side_answer"];

/** The debate as a conversation, each turn beside the passages that it cites, with what the checks found. */
export function DebatePicture({ run, artifacts }: PictureProps) {
  const turns = artifacts.filter(({ kind }) => TURNS.includes(kind));
  const verdict = newestOf(artifacts, "verdict");
  const contents = useContents<Turn>(run.id, turns);
  const authorities = useContents<Authorities>(
    run.id,
    artifacts.filter(({ kind }) => kind === "authorities"),
  );
  const [record] = useContents<DebateRecord>(run.id, one(newestOf(artifacts, "debate_record")));
  const [check] = useContents<CitationCheck>(run.id, one(newestOf(artifacts, "citation_check")));
  const [judgment] = useContents<Verdict>(run.id, one(verdict));
  if (turns.length === 0) return null;
  const known = {
    record,
    excerpts: authorities.flatMap((content) => content?.excerpts ?? []),
    checks: check?.citations ?? [],
  };
  const sides = [...new Set(turns.map(({ subject }) => subject))];
  return (
    <section>
      <h2>The debate</h2>
      <ol className="debate">
        {turns.map((turn, at) => (
          <TurnRow
            key={turn.id}
            artifact={turn}
            content={contents[at]}
            side={sides.indexOf(turn.subject)}
            name={nameOf(turn, record)}
            citations={resolveCitations(contents[at]?.citations ?? [], turn.subject, known)}
          />
        ))}
        {judgment && verdict && (
          <li className="turn judge">
            <div className="speech">
              <p className="speaker">
                The judge{" "}
                <ArtifactLink run={run.id} id={verdict.id}>
                  verdict
                </ArtifactLink>
              </p>
              <p>
                <strong>{judgment.answer}</strong>
              </p>
              <ul>
                {judgment.rationale?.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            </div>
          </li>
        )}
      </ol>
      <Drawing
        run={run.id}
        artifact={newestOf(artifacts, "debate_drawing")}
        title="Positions, rebuttals and citations"
      />
    </section>
  );
}

const one = (artifact: Artifact | undefined): Artifact[] => (artifact ? [artifact] : []);

function nameOf({ subject, kind }: Artifact, record: DebateRecord | undefined): string {
  const party = record?.parties?.find(({ debater }) => debater === subject)?.party;
  const side = party ? `Party ${party}` : humanize(subject);
  return kind === "cross_question" ? `Cross-examiner to ${side}` : side;
}

interface TurnRowProps {
  artifact: Artifact;
  content: Turn | undefined;
  side: number;
  name: string;
  citations: ResolvedCitation[];
}

function TurnRow({ artifact, content, side, name, citations }: TurnRowProps) {
  const asks = artifact.kind === "cross_question";
  return (
    <li className={asks ? "turn asks" : `turn side-${side % 6}`}>
      <div className="speech">
        <p className="speaker">
          {name}{" "}
          <ArtifactLink run={artifact.run_id} id={artifact.id}>
            {artifact.stage.replaceAll("_", " ")}
            {artifact.kind === "brief" && `, round ${artifact.version}`}
          </ArtifactLink>
        </p>
        {content ? <Speech content={content} /> : <p className="quiet">Loading …</p>}
      </div>
      {citations.length > 0 && (
        <div className="passages">
          {citations.map((citation, at) => (
            <Passage key={at} citation={citation} />
          ))}
        </div>
      )}
    </li>
  );
}

const Speech = ({ content: { question, answer, claims = [], application } }: { content: Turn }) => (
  <>
    {question && <p>{question}</p>}
    {answer && <p>{answer}</p>}
    {claims.length > 0 && (
      <ul>
        {claims.map((claim) => (
          <li key={claim}>{claim}</li>
        ))}
      </ul>
    )}
    {application && <p>{application}</p>}
  </>
);

/** A cited passage, with the quote marked in it. */
function Passage({ citation: { passage, quote, proposition, check, authority_id } }: { citation: ResolvedCitation }) {
  return (
    <blockquote
      className={check?.supported === false || check?.quote_match === "missing" ? "passage doubtful" : "passage"}
    >
      <p className="speaker">
        {passage ? (passage.title ?? passage.source) : `${authority_id}: no such passage was shown`}
      </p>
      {passage ? <Marked text={passage.excerpt} quote={quote} /> : <p>{quote}</p>}
      <p className="quiet">Cited for: {proposition}</p>
      {check && (
        <p className={check.supported ? "verdict-good" : "verdict-bad"}>
          {check.quote_match ? `Quote ${check.quote_match}` : "No quote"}
          {check.supported !== null && (check.supported ? "; it supports this" : "; it does not support this")}
        </p>
      )}
    </blockquote>
  );
}

function Marked({ text, quote }: { text: string; quote: string }) {
  const at = quote ? text.indexOf(quote) : -1;
  if (at < 0) return <p>{text}</p>;
  return (
    <p>
      {text.slice(0, at)}
      <mark>{quote}</mark>
      {text.slice(at + quote.length)}
    </p>
  );
}
