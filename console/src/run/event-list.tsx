import { useState } from "react";
import type { Event } from "../parley.ts";
import { JsonTree } from "../shared/json-tree.tsx";
import { Clock } from "../shared/time.tsx";

/** How many events are shown at first, and further with each click. */
const STEP = 200;

/** The log of a run, newest first. */
export function EventList({ events }: { events: Event[] }) {
  const [most, setMost] = useState(STEP);
  if (events.length === 0) return <p className="quiet">No event yet.</p>;
  const shown = events.slice(-most).toReversed();
  return (
    <>
      <ol className="events" reversed>
        {shown.map((event) => (
          <li key={event.seq} value={event.seq}>
            <span className="seq">{event.seq}</span> <Clock at={event.created_at} />{" "}
            <strong>{event.type.replace("run.", "").replaceAll("_", " ")}</strong> <Words event={event} />
            <EventData data={event.data} />
          </li>
        ))}
      </ol>
      {events.length > most && (
        <button type="button" onClick={() => setMost(most + STEP)}>
          Show {Math.min(STEP, events.length - most)} earlier ones
        </button>
      )}
    </>
  );
}

/** What an event tells, made when somebody opens it. */
function EventData({ data }: { data: Event["data"] }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
      <summary>data</summary>
      {open && <JsonTree value={data} />}
    </details>
  );
}

function Words({ event }: { event: Event }) {
  switch (event.type) {
    case "run.artifact_created":
      return (
        <>
          {event.data.kind} {event.data.version} by {event.data.role} <code>{event.data.step}</code>
        </>
      );
    case "run.stage_started":
      return <>{event.data.stage}</>;
    case "run.stage_completed":
      return <>{event.data.stage}</>;
    case "run.failed":
      return <>{event.data.error.detail}</>;
    case "run.provider_failing":
      return (
        <>
          {event.data.model}: {event.data.reason}
        </>
      );
    case "run.input_received":
      return <>by {event.data.answered_by ?? "nobody named"}</>;
    default:
      return null;
  }
}
