import type { NamedField } from "#services/interactions/form-fields";
import type { PersonView } from "#services/interactions/show-to-person";
import type { FieldError } from "#core/errors";
import { Subject } from "./artifacts";
import { type Form, idOf } from "./boxes";
import { Control, Controls, isIn } from "./controls";
import { placesOf, placeErrors, type PlacedError, valueAt } from "./field-errors";
import { wordedFields } from "./wording";

/** Sent values that are shown again: with errors, or because a list gets one more entry. */
export interface Draft {
  body: unknown;
  errors: readonly FieldError[];
  adding: string | null;
}

/** The form that takes the answer. It works without a script; only the server checks it. */
export const AnswerForm = ({ view, draft }: { view: PersonView; draft: Draft | null }) => {
  const fields = wordedFields(view);
  const placed = draft ? placeErrors(draft.errors, placesOf(fields, draft.body)) : [];
  const errors = Map.groupBy(
    placed.filter(({ place }) => place !== null),
    ({ place }) => place!.name,
  );
  const form: Form = {
    sent: draft !== null,
    errors: new Map([...errors].map(([name, those]) => [name, those.map(({ message }) => message)])),
    adding: draft?.adding ?? null,
    names: view.names,
  };
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">Your answer</h2>
      {placed.length > 0 && <Summary errors={placed} />}
      <form method="post" novalidate>
        {/* Enter in a text field presses the first button of a form, which must send, not add an entry. */}
        <button type="submit" class="sr-only" tabindex={-1} aria-hidden="true">
          Send answer
        </button>
        {fields.map((item) => (
          <TopField item={item} view={view} form={form} value={valueAt(draft?.body, item.name)} />
        ))}
        <button type="submit" class="primary">
          Send answer
        </button>
      </form>
    </section>
  );
};

/** The fields of `answers` are shown without a group, and `edited_content` is folded. */
const TopField = ({ item, view, form, value }: { item: NamedField; view: PersonView; form: Form; value: unknown }) => {
  const shared = { name: item.name, value, form };
  if (item.name === "answers" && item.field.is === "group")
    return <Questions {...shared} fields={item.field.fields} view={view} />;
  if (item.name === "edited_content") return <Edit {...shared} item={item} view={view} />;
  if (item.name === "answered_by") return <Control {...shared} item={item} autocomplete="name" />;
  return <Control {...shared} item={item} rows={item.name === "comment" ? 2 : undefined} />;
};

/** Questions about one artifact stand below it, and the others by themselves. */
const Questions = ({
  fields,
  name,
  value,
  form,
  view,
}: {
  fields: NamedField[];
  name: string;
  value: unknown;
  form: Form;
  view: PersonView;
}) => {
  const controls = { name, value, form, lang: view.language ?? undefined };
  const groups = [...Map.groupBy(fields, ({ artifact_id = null }) => artifact_id)];
  let before = 0;
  return (
    <>
      {groups.map(([id, those], at) => {
        const artifact = view.artifacts.find((one) => one.id === id);
        if (!artifact) return <Controls {...controls} fields={those} />;
        const shown = <Subject artifact={artifact} at={at} before={before} language={view.language} />;
        before += artifact.text.length;
        return (
          <section class="rated" aria-labelledby={`rated-${at}`}>
            <h3 id={`rated-${at}`}>
              {at + 1} of {groups.length}
            </h3>
            {shown}
            <Controls {...controls} fields={those} />
          </section>
        );
      })}
    </>
  );
};

/** The artifact, to be edited. Sent unchanged, it is no edit. */
const Edit = ({ item, view, form, value }: { item: NamedField; view: PersonView; form: Form; value: unknown }) => {
  const [artifact] = view.artifacts;
  if (!artifact) return null;
  const { is } = item.field;
  const original: unknown = artifact.media_type === "application/json" ? JSON.parse(artifact.text) : artifact.text;
  const wrong = [...form.errors.keys()].some((at) => isIn(item.name, at));
  return (
    <details class="edit" open={value !== undefined || wrong || isIn(item.name, form.adding)}>
      <summary>
        Edit it yourself <span class="quiet">(optional)</span>
      </summary>
      {/* It says that the parts were sent, also when all of them were removed. */}
      {(is === "group" || is === "list") && <input type="hidden" name={`${item.name}[]`} value="" />}
      <Control
        item={item}
        name={item.name}
        value={value ?? original}
        form={{ ...form, sent: true, fitted: is !== "json" && is !== "text" }}
        rows={18}
        class={is === "json" ? "code" : undefined}
        lang={view.language ?? undefined}
      />
    </details>
  );
};

/** All errors, each with a link to its control. It has the focus when the page opens. */
const Summary = ({ errors }: { errors: readonly PlacedError[] }) => (
  <div class="summary" role="alert" tabindex={-1} autofocus aria-labelledby="wrong">
    <h3 id="wrong">
      {errors.length === 1 ? "One thing is not right yet" : `${errors.length} things are not right yet`}
    </h3>
    <ul>
      {errors.map(({ place, message }) => (
        <li>{place ? <a href={`#${idOf(place.name)}`}>{joined(place.label, message)}</a> : message}</li>
      ))}
    </ul>
  </div>
);

const joined = (label: string, message: string) => `${label}${/[?!.:]$/.test(label) ? "" : ":"} ${message}`;
