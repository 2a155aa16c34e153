import { Link } from "wouter";
import type { Event, Run } from "../parley.ts";
import { humanize } from "../shared/amounts.ts";
import { helpFor } from "../shared/problem.tsx";
import { Ago, formatTime, useNow } from "../shared/time.tsx";
import { assigneeLabel } from "../inbox/question-card.tsx";
import { useQuestions } from "./use-questions.ts";

/** Why a run failed or does not continue, where, and what to do about it: before everything else of its page. */
export function Failure({ run, events }: { run: Run; events: Event[] }) {
  if (run.error) return <WhyItFailed run={run} error={run.error} events={events} />;
  if (run.failing_providers.length > 0) return <FailingProviders run={run} />;
  if (run.status === "input_required") return <WaitingForPerson run={run} />;
  return null;
}

function WaitingForPerson({ run }: { run: Run }) {
  const now = useNow(10_000);
  const { data = [] } = useQuestions(run.id);
  return (
    <section className="box waits">
      <h2>A person has to answer</h2>
      <ul>
        {data
          .filter(({ status }) => status === "open")
          .map(({ id, stage, assignee, expires_at }) => (
            <li key={id}>
              {humanize(stage)}: a question {assigneeLabel(assignee)}, until <strong>{formatTime(expires_at)}</strong> (
              <Ago at={expires_at} now={now} />)
            </li>
          ))}
      </ul>
      <p>
        The run continues with the answer. <Link href={`/runs/${run.id}/questions`}>Open its questions</Link>
      </p>
    </section>
  );
}

function WhyItFailed({ run, error, events }: { run: Run; error: NonNullable<Run["error"]>; events: Event[] }) {
  const now = useNow(10_000);
  const last = events.findLast(({ type }) => type === "run.artifact_created");
  const advice = helpFor(error.code);
  return (
    <section className="box wrong" aria-labelledby="why">
      <h2 id="why">Why it failed: {error.title}</h2>
      <p className="detail">{error.detail}</p>
      {error.errors && error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <dl className="reasons">
        <dt>Where</dt>
        <dd>
          {run.stage ? `In the stage ${humanize(run.stage)}` : "Before its first stage"}
          {last?.type === "run.artifact_created" && (
            <>
              ; the last result was{" "}
              <Link href={`/runs/${run.id}/artifacts?artifact=${last.data.artifact_id}`}>{last.data.step}</Link>
            </>
          )}
          {run.finished_at && (
            <>
              , <Ago at={run.finished_at} now={now} />
            </>
          )}
        </dd>
        <dt>What to do</dt>
        <dd>
          {advice} <a href={`/docs/errors#${error.code}`}>{error.code}</a>
        </dd>
      </dl>
    </section>
  );
}

function FailingProviders({ run }: { run: Run }) {
  const now = useNow();
  return (
    <section className="box waits">
      <h2>A provider of models fails</h2>
      <ul>
        {run.failing_providers.map(({ provider, model, reason, since, next_attempt_at }) => (
          <li key={provider + model}>
            <strong>{model}</strong> at {provider}, since <Ago at={since} now={now} />: {reason} Asked again{" "}
            <Ago at={next_attempt_at} now={now} />.
          </li>
        ))}
      </ul>
      <p>The run waits and continues by itself, at most for {run.limits.provider_wait}.</p>
    </section>
  );
}
