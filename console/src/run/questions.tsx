import { QuestionCard } from "../inbox/question-card.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { useQuestions } from "./use-questions.ts";

/** Every question that a run has asked, the open ones first. */
export function Questions({ run }: { run: string }) {
  const { data, error } = useQuestions(run);
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
