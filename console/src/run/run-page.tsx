import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link, useParams } from "wouter";
import { ENDED, type Run, useParley } from "../parley.ts";
import { ErrorBoundary } from "../shared/error-boundary.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { statusLabel, Status } from "../shared/status.tsx";
import { useTitle } from "../shared/use-title.ts";
import { Costs } from "./costs.tsx";
import { EventList } from "./event-list.tsx";
import { Failure } from "./failure.tsx";
import { Lanes } from "./lanes.tsx";
import { Lineage } from "./lineage.tsx";
import { Questions } from "./questions.tsx";
import { Result } from "./result.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunInfo } from "./run-facts.tsx";
import { UnderWay } from "./under-way.tsx";
import { useArtifacts } from "./use-artifacts.ts";
import { type RunFeed, useRunFeed } from "./use-run-feed.ts";

const Artifacts = lazy(() => import("./artifacts.tsx"));
const MethodPicture = lazy(() => import("../methods/method-picture.tsx"));

const VIEWS = [
  ["", "Overview"],
  ["artifacts", "Artifacts"],
  ["questions", "Questions"],
  ["events", "Events"],
  ["details", "Details"],
] as const;

/** A run: what it does now, what it has made, and why it failed. */
export default function RunPage() {
  const { id, view = "" } = useParams<{ id: string; view?: string }>();
  const parley = useParley();
  const { data: run, error } = useQuery({
    queryKey: ["run", id],
    queryFn: ({ signal }) => parley.runs.get(id, { signal }),
    // The feed says when to look again; this is for what has no event, and for a feed that is broken.
    refetchInterval: ({ state }) => (ENDED.includes(state.data?.status ?? "") ? 15_000 : 5000),
  });
  const feed = useRunFeed(id, run?.finished_at ?? null);
  useTitle(run ? `${titleOf(run)}: ${statusLabel(run.status)}` : "Run");
  if (!run) return error ? <ProblemBox error={error} /> : <p className="quiet">Loading …</p>;
  return (
    <>
      <header className="run-head">
        <p className="crumbs">
          <Link href="/runs">Runs</Link> / {run.workflow}
        </p>
        <div className="page-head">
          <h1>
            {titleOf(run)} <Status status={run.status} />
          </h1>
          <RunActions run={run} />
        </div>
        <p className="hidden" role="status">
          The run is {statusLabel(run.status)}.
        </p>
        <RunInfo run={run} />
      </header>
      {error && <ProblemBox error={error} title="The page may be out of date" />}
      <Failure run={run} events={feed.events} />
      <UnderWay run={run} feed={feed} />
      <nav className="tabs" aria-label="Parts of the run">
        {VIEWS.map(([path, title]) => (
          <Link key={path} href={`/runs/${id}${path && `/${path}`}`} aria-current={path === view ? "page" : undefined}>
            {title}
          </Link>
        ))}
      </nav>
      <ErrorBoundary at={view} what="This part of the run">
        <Suspense fallback={<p className="quiet">Loading …</p>}>
          <View view={view} run={run} feed={feed} />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

const titleOf = ({ about, id }: Run): string => about.title || about.excerpt || id;

function View({ view, run, feed }: { view: string; run: Run; feed: RunFeed }) {
  const { data: artifacts = [], error } = useArtifacts(run.id);
  if (error) return <ProblemBox error={error} />;
  switch (view) {
    case "artifacts":
      return <Artifacts run={run} artifacts={artifacts} />;
    case "questions":
      return <Questions run={run.id} />;
    case "events":
      return <EventList events={feed.events} />;
    case "details":
      return (
        <>
          <Costs run={run} />
          <Lineage run={run} artifacts={artifacts} />
        </>
      );
    default:
      return (
        <>
          <section>
            <h2>Timeline</h2>
            <Lanes run={run} artifacts={artifacts} feed={feed} />
          </section>
          <MethodPicture run={run} artifacts={artifacts} />
          <Result run={run} />
        </>
      );
  }
}
