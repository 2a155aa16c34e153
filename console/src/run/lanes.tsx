import { memo, useMemo } from "react";
import { useLocation } from "wouter";
import type { Artifact, Run } from "../parley.ts";
import { humanize, plural } from "../shared/amounts.ts";
import { formatDuration, useNow } from "../shared/time.tsx";
import { type Bar, type Lane, lanesOf } from "./lanes-of.ts";
import { timeScale, type TimeScale } from "./time-scale.ts";
import type { RunFeed } from "./use-run-feed.ts";

/** The width of a lane in units of its picture, and the height of one of its lines. */
const WIDTH = 1000;
const LINE = 13;
/** Lanes with more lines are drawn lower. */
const MAX_LINES = 9;

/** The stages of a run under each other on one time axis, each with its steps, calls under way and waits for people. */
export function Lanes({ run, artifacts, feed }: { run: Run; artifacts: Artifact[]; feed: RunFeed }) {
  const ended = run.finished_at !== null;
  const second = useNow(feed.calls?.length ? 500 : 2000);
  const now = ended ? Date.parse(run.finished_at!) : second;
  const { calls, events } = feed;
  const lanes = useMemo(() => lanesOf(artifacts, events, calls ?? [], now), [artifacts, events, calls, now]);
  const scale = useMemo(() => {
    const bars = lanes.flatMap((lane) => lane.bars);
    const from = Math.min(Date.parse(run.created_at), ...bars.map((bar) => bar.from));
    const to = Math.max(now, ...bars.map((bar) => bar.to));
    const work = [...bars.filter(({ is }) => is !== "person"), ...lanes.flatMap(({ spans }) => spans)];
    return timeScale(work, { from, to: Math.max(to, from + 1) });
  }, [lanes, now, run.created_at]);
  if (lanes.length === 0) return <p className="quiet">No stage has begun yet.</p>;
  return (
    <figure className="lanes">
      {lanes.map((lane) => (
        <div className="lane" key={lane.stage}>
          <div className="lane-name">
            <span className={lane.stage === run.stage && !ended ? "now" : undefined}>{humanize(lane.stage)}</span>
            <span className="quiet">{describeLane(lane)}</span>
          </div>
          <LaneBars lane={lane} scale={scale} run={run.id} />
        </div>
      ))}
      <figcaption>
        <span className="key key-model">calls of models</span>
        <span className="key key-code">work without a call</span>
        <span className="key key-person">a person is asked</span>
        <span className="key key-calling">calling now (not stored)</span>
        {scale.gaps.length > 0 && <span>Long waits are drawn shorter.</span>}
      </figcaption>
    </figure>
  );
}

const describeLane = ({ bars, spans }: Lane): string => {
  const steps = bars.filter(({ is }) => is === "model" || is === "code");
  if (steps.length === 0) return bars.some(({ is }) => is === "person") ? "waits for a person" : "";
  const took = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return `${plural(steps.length, "step")}, ${formatDuration(took)}`;
};

const LaneBars = memo(function LaneBars({ lane, scale, run }: { lane: Lane; scale: TimeScale; run: string }) {
  const [, go] = useLocation();
  const line = LINE * Math.min(1, MAX_LINES / lane.lines);
  const height = Math.max(LINE, line * lane.lines);
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      height={height * 1.4}
      role="img"
      aria-label={`${humanize(lane.stage)}: ${describeLane(lane) || "nothing yet"}`}
      onClick={({ target }) => {
        const artifact = target instanceof SVGElement && target.dataset.artifact;
        if (artifact) go(`/runs/${run}/artifacts?artifact=${artifact}`);
      }}
    >
      {scale.gaps.map(({ from, to }) => (
        <rect
          key={from}
          className="gap"
          x={scale.at(from) * WIDTH}
          width={(scale.at(to) - scale.at(from)) * WIDTH}
          y={0}
          height={height}
        />
      ))}
      {lane.spans.map(({ from, to }) => (
        <rect
          key={from}
          className="span"
          x={scale.at(from) * WIDTH}
          width={Math.max(1, (scale.at(to) - scale.at(from)) * WIDTH)}
          y={0}
          height={height}
        />
      ))}
      {lane.bars.map((bar) => (
        <BarOf key={bar.key} bar={bar} scale={scale} line={line} />
      ))}
    </svg>
  );
});

function BarOf({ bar, scale, line }: { bar: Bar; scale: TimeScale; line: number }) {
  const from = scale.at(bar.from) * WIDTH;
  const width = Math.max(2, scale.at(bar.to) * WIDTH - from);
  return (
    <rect
      className={`bar bar-${bar.is}`}
      data-artifact={bar.artifact}
      x={Math.min(from, WIDTH - 2)}
      width={width}
      y={bar.line * line + 1}
      height={Math.max(1, line - 2)}
    >
      <title>{bar.label}</title>
    </rect>
  );
}
