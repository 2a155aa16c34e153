import { useQuery } from "@tanstack/react-query";
import { LIST_INTERVAL_MS, useParley } from "../parley.ts";
import { plural } from "../shared/amounts.ts";
import { ProblemBox } from "../shared/problem.tsx";
import { useTitle } from "../shared/use-title.ts";
import { QuestionCard } from "./question-card.tsx";

/** Every open question of the tenant, the nearest deadline first. An answered one vanishes at the next look. */
export default function InboxPage() {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["inbox"],
    queryFn: async ({ signal }) => {
      const all = await parley.interactions.list({ status: "open", limit: 100 }, { signal }).all();
      return all.toSorted((one, other) => one.expires_at.localeCompare(other.expires_at));
    },
    refetchInterval: LIST_INTERVAL_MS,
  });
  useTitle(data?.length ? `Inbox (${data.length})` : "Inbox");
  return (
    <>
      <header className="page-head">
        <h1>Inbox</h1>
      </header>
      {error && <ProblemBox error={error} />}
      {data && (
        <p className="quiet" role="status">
          {data.length === 0
            ? "Nobody has to answer anything."
            : `${plural(data.length, "question")} open, nearest deadline first.`}
        </p>
      )}
      <ul className="cards">
        {data?.map((interaction) => (
          <QuestionCard key={interaction.id} interaction={interaction} withRun />
        ))}
      </ul>
    </>
  );
}
