import { useState } from "react";
import { Link } from "wouter";
import { useContents } from "../run/use-artifacts.ts";
import { formatCost, formatCount } from "../shared/amounts.ts";
import { Status } from "../shared/status.tsx";
import { formatDuration } from "../shared/time.tsx";
import type { PictureProps } from "./method-picture.tsx";
import { Drawing } from "./parts.tsx";

interface Output {
  results?: {
    variant: string;
    measure: string;
    n: number;
    mean: number | null;
    low: number | null;
    high: number | null;
  }[];
  comparisons?: {
    system: string;
    baseline: string;
    measure: string;
    difference: number | null;
    low: number | null;
    high: number | null;
    p_adjusted: number | null;
    verdict: string;
  }[];
}

interface Trial {
  variant: string;
  item: string;
  repetition: number;
  run_id: string;
  status: string;
  answer: string | null;
  scores: Record<string, number | null>;
  seconds: number;
  usage: { cost_usd: number | null };
}

/** Trials that are shown at first, and further with each click. */
const STEP = 100;
const say = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : value.toFixed(3);

/** Progress, results, comparisons and plots of an experiment, and every trial with the way to its run. */
export function ExperimentPicture({ run, artifacts }: PictureProps) {
  const trials = useContents<Trial[]>(
    run.id,
    artifacts.filter(({ kind }) => kind === "trial_results"),
  ).flatMap((content) => content ?? []);
  const plots = artifacts.filter(({ kind }) => kind === "plot");
  const { results = [], comparisons = [] } = (run.output ?? {}) as Output;
  const { children } = run;
  return (
    <section>
      <h2>Experiment</h2>
      {children && (
        <p>
          <label>
            {formatCount(children.completed + children.failed + children.canceled)} of {formatCount(children.total)}{" "}
            trials have ended, {children.failed} failed{" "}
            <progress max={children.total} value={children.completed + children.failed + children.canceled} />
          </label>{" "}
          <Link href={`/runs?parent_id=${run.id}`}>Their runs</Link>
        </p>
      )}
      {results.length > 0 && <Results results={results} />}
      {comparisons.length > 0 && <Comparisons comparisons={comparisons} />}
      <div className="plots">
        {plots.map((plot) => (
          <Drawing key={plot.id} run={run.id} artifact={plot} title={plot.subject || "Plot"} />
        ))}
      </div>
      {trials.length > 0 && <Trials trials={trials} />}
    </section>
  );
}

const Results = ({ results }: { results: NonNullable<Output["results"]> }) => (
  <div className="scroll" role="region" aria-label="Results" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th>Variant</th>
          <th>Measure</th>
          <th className="number">Items</th>
          <th className="number">Mean</th>
          <th className="number">95 % interval</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ variant, measure, n, mean, low, high }) => (
          <tr key={variant + measure}>
            <td>{variant}</td>
            <td>{measure}</td>
            <td className="number">{n}</td>
            <td className="number">{say(mean)}</td>
            <td className="number">
              {say(low)} to {say(high)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Comparisons = ({ comparisons }: { comparisons: NonNullable<Output["comparisons"]> }) => (
  <div className="scroll" role="region" aria-label="Comparisons" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th>Comparison</th>
          <th>Measure</th>
          <th className="number">Difference</th>
          <th className="number">95 % interval</th>
          <th className="number">p, adjusted</th>
          <th>Verdict</th>
        </tr>
      </thead>
      <tbody>
        {comparisons.map(({ system, baseline, measure, difference, low, high, p_adjusted, verdict }) => (
          <tr key={system + baseline + measure}>
            <td>
              {system} against {baseline}
            </td>
            <td>{measure}</td>
            <td className="number">{say(difference)}</td>
            <td className="number">
              {say(low)} to {say(high)}
            </td>
            <td className="number">{say(p_adjusted)}</td>
            <td>{verdict.replaceAll("_", " ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function Trials({ trials }: { trials: Trial[] }) {
  const [most, setMost] = useState(STEP);
  const [words, setWords] = useState("");
  const measures = [...new Set(trials.flatMap(({ scores }) => Object.keys(scores ?? {})))];
  const found = trials.filter(({ variant, item, answer }) =>
    `${variant} ${item} ${answer}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <h3>Trials</h3>
      <div className="filters">
        <label>
          Find
          <input
            type="search"
            value={words}
            placeholder="item, variant, answer"
            onChange={({ target }) => setWords(target.value)}
          />
        </label>
      </div>
      <div className="scroll" role="region" aria-label="Trials" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Item</th>
              <th>Variant</th>
              <th>Status</th>
              <th>Answer</th>
              {measures.map((measure) => (
                <th key={measure} className="number">
                  {measure}
                </th>
              ))}
              <th className="number">Cost</th>
              <th className="number">Took</th>
            </tr>
          </thead>
          <tbody>
            {found
              .slice(0, most)
              .map(({ run_id, item, variant, repetition, status, answer, scores, usage, seconds }) => (
                <tr key={run_id}>
                  <td>
                    <Link href={`/runs/${run_id}`}>
                      {item} {repetition > 0 && `(${repetition + 1})`}
                    </Link>
                  </td>
                  <td>{variant}</td>
                  <td>
                    <Status status={status} />
                  </td>
                  <td className="clamped">{answer}</td>
                  {measures.map((measure) => (
                    <td key={measure} className="number">
                      {say(scores[measure])}
                    </td>
                  ))}
                  <td className="number">{formatCost(usage.cost_usd)}</td>
                  <td className="number">{formatDuration(seconds * 1000)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + STEP)}>
          Show {Math.min(STEP, found.length - most)} more
        </button>
      )}
    </>
  );
}
