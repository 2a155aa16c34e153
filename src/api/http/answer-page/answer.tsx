import { isRecord, type NamedField } from "#services/interactions/form-fields";
import type { PersonView } from "#services/interactions/show-to-person";
import { Value } from "./value";
import { wordedFields } from "./wording";

/** A given answer, with the labels of the form. */
export const Answer = ({ view, answer }: { view: PersonView; answer: Record<string, unknown> }) => {
  const fields = wordedFields(view);
  const questions = fields.find(({ name }) => name === "answers")?.field;
  const others = fields.filter(({ name }) => name !== "answers" && name !== "answered_by");
  return (
    <dl class="answer">
      {questions?.is === "group" && <Lines fields={questions.fields} values={answer.answers} />}
      <Lines fields={others} values={answer} />
    </dl>
  );
};

const Lines = ({ fields, values }: { fields: readonly NamedField[]; values: unknown }) => (
  <>
    {fields
      .filter(({ name }) => isRecord(values) && Object.hasOwn(values, name))
      .map((item) => (
        <div>
          <dt dir="auto">{item.label}</dt>
          <dd dir="auto">
            <Given item={item} value={(values as Record<string, unknown>)[item.name]} />
          </dd>
        </div>
      ))}
  </>
);

/** A value; a chosen option is shown by its label. */
const Given = ({ item: { field }, value }: { item: NamedField; value: unknown }) => {
  if (field.is === "group" && isRecord(value))
    return (
      <dl>
        <Lines fields={field.fields} values={value} />
      </dl>
    );
  if (field.is !== "choice" && field.is !== "choices") return <Value value={value} />;
  const labelOf = (chosen: unknown) => field.options.find((option) => option.value === chosen)?.label ?? chosen;
  return <Value value={Array.isArray(value) ? value.map(labelOf) : labelOf(value)} />;
};
