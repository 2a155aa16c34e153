import type { Interaction } from "../parley.ts";
import { JsonTree } from "../shared/json-tree.tsx";
import { Status } from "../shared/status.tsx";
import { Ago, formatTime, useNow } from "../shared/time.tsx";
import { Link } from "wouter";
import { QuestionActions } from "./question-actions.tsx";

/** A question with its deadline, and the way to its answer page. */
export function QuestionCard({ interaction, withRun = false }: { interaction: Interaction; withRun?: boolean }) {
  const now = useNow(5000);
  const {
    status,
    kind,
    stage,
    prompt,
    questions,
    about,
    expires_at,
    on_expiry,
    callback_url,
    answer,
    answered_by,
    assignee,
  } = interaction;
  const open = status === "open";
  const soon = open && Date.parse(expires_at) - now < 24 * 3_600_000;
  return (
    <li className={`card ${open ? "open" : ""}`}>
      <p className="card-head">
        <Status status={status} />
        <span>{kind}</span>
        <span>{assigneeLabel(assignee)}</span>
        <span className="quiet">{stage.replaceAll("_", " ")}</span>
        {open && (
          <span className={soon ? "soon" : "quiet"}>
            answer until <strong>{formatTime(expires_at)}</strong> (<Ago at={expires_at} now={now} />
            ), then the run {on_expiry === "proceed" ? "continues without it" : "fails"}
          </span>
        )}
      </p>
      {withRun && (
        <p>
          <Link href={`/runs/${interaction.run_id}`}>{about.title ?? about.excerpt}</Link>
        </p>
      )}
      <p className="prompt">{prompt}</p>
      {questions.length > 0 && (
        <ol>
          {questions.map(({ id, text, dimension }) => (
            <li key={id}>
              {text} {dimension && <span className="quiet">({dimension})</span>}
            </li>
          ))}
        </ol>
      )}
      {open && (
        <div className="actions">
          {callback_url && (
            <a className="button primary" href={callback_url} target="_blank" rel="noreferrer">
              Answer
            </a>
          )}
          <QuestionActions interaction={interaction} />
        </div>
      )}
      {!open && answer && (
        <details>
          <summary>Answer{answered_by ? ` of ${answered_by}` : ""}</summary>
          <JsonTree value={answer} />
        </details>
      )}
    </li>
  );
}

/** Whom a question is addressed to, with the address that its mail goes to. */
export function assigneeLabel(assignee: Interaction["assignee"]): string {
  if (!assignee) return "for anybody with its link";
  const { name, email } = assignee;
  return `for ${name && email ? `${name} (${email})` : (name ?? email)}`;
}
