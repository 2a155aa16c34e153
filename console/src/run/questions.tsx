import { useQuery } from "@tanstack/react-query";
import { LIST_EVERY, useParley } from "../parley.ts";
import { QuestionCard } from "../inbox/question-card.tsx";
import { ProblemBox } from "../shared/problem.tsx";

/** Every question that a run has asked, the open ones first. */
export function Questions({ run }: { run: string }) {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["run", run, "questions"],
    queryFn: ({ signal }) => parley.interactions.list({ run_id: run, limit: 100 }, { signal }).all(),
    refetchInterval: LIST_EVERY,
  });
  if (error) return <ProblemBox error={error} />;
  if (!data) return <p className="quiet">Loading …</p>;
  if (data.length === 0) return <p className="empty">This run has asked nobody.</p>;
  const rank = (status: string) => (status === "open" ? 0 : 1);
  return (
    <ul className="cards">
      {data
        .toSorted((one, other) => rank(one.status) - rank(other.status))
        .map((interaction) => (
          <QuestionCard key={interaction.id} interaction={interaction} />
        ))}
    </ul>
  );
}
