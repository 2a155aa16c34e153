import { ENDED, type Run } from "../parley.ts";
import { plural } from "../shared/amounts.ts";
import { formatDuration, useNow } from "../shared/time.tsx";
import type { RunFeed } from "./use-run-feed.ts";

/** The most calls that are named. */
const MAX_CALLS = 6;

/** What the run does at this moment. Calls come from the server's memory: a crash forgets them, and they are made again. */
export function UnderWay({ run, feed }: { run: Run; feed: RunFeed }) {
  const now = useNow();
  const calls = feed.calls ?? [];
  if (ENDED.includes(run.status) || run.status === "input_required") return null;
  return (
    <section className="box now-box" aria-label="Under way">
      <h2>
        <span className="pulse" aria-hidden="true" /> {describeCalls(run, calls.length)}
      </h2>
      {feed.calls === null && run.status === "running" && (
        <p className="quiet">Its calls of models are shown from the next one that begins or ends.</p>
      )}
      {calls.length > 0 && (
        <>
          <ul>
            {calls.slice(0, MAX_CALLS).map(({ step, role, model, since }) => (
              <li key={step + since}>
                <code>{step}</code> {role ?? "an encoder"} calls <strong>{model}</strong>, for{" "}
                {formatDuration(Math.max(0, now - Date.parse(since)))}
              </li>
            ))}
            {calls.length > MAX_CALLS && <li>and {calls.length - MAX_CALLS} more</li>}
          </ul>
          <p className="quiet">Seen in the server&rsquo;s memory, not stored.</p>
        </>
      )}
    </section>
  );
}

function describeCalls({ status, stage }: Run, calls: number): string {
  if (status === "queued") return "In the queue";
  if (status === "paused") return "Paused";
  const where = stage ? ` in ${stage.replaceAll("_", " ")}` : "";
  return calls > 0 ? `${plural(calls, "call of a model", "calls of models")} under way${where}` : `At work${where}`;
}
