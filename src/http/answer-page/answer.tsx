import type { PersonView } from "../../interactions/show-to-person";
import { inWords, isRecord } from "../../interactions/form-fields";
import { Value } from "./value";

/** An answer as it was given: each question with what was said to it, then the rest. */
export const Answer = ({ view, answer }: { view: PersonView; answer: Record<string, unknown> }) => {
  const { answers, answered_by: _, ...rest } = answer;
  const said = view.interaction.questions.filter(({ id }) => isRecord(answers) && Object.hasOwn(answers, id));
  return (
    <dl class="answer">
      {said.map(({ id, text }) => (
        <Line name={text} value={(answers as Record<string, unknown>)[id]} />
      ))}
      {Object.entries(rest).map(([name, value]) => (
        <Line
          name={name === "edited_content" ? "Edited text" : inWords(name)}
          value={name === "decision" ? inWords(String(value)) : value}
        />
      ))}
    </dl>
  );
};

const Line = ({ name, value }: { name: string; value: unknown }) => (
  <div>
    <dt dir="auto">{name}</dt>
    <dd dir="auto">
      <Value value={value} />
    </dd>
  </div>
);
