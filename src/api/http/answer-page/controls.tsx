import type { Field, NamedField } from "#services/interactions/form-fields";
import { Box, Buttons, type Controlled, described, idOf, Label, Menu, Notes, wrapper, YES_NO } from "./boxes";
import { entryLabel, valueAt } from "./field-errors";

/** Name of the button that adds an entry to a list; its value is the list's name. */
export const ADD = "_add";

/** Name of the check boxes that remove entries of lists; the value is the entry's name. */
export const REMOVE = "_remove";

/** Lists within one another that a control can be in. */
const MAX_LISTS = 8;

/** With more options than this, a menu replaces radio buttons. */
const MAX_RADIOS = 8;

/** One field with its label, hint and errors. */
export const Control = (props: Controlled) => {
  const { item, form } = props;
  const value = form.sent ? props.value : (props.value ?? item.default ?? undefined);
  const given = { ...props, value };
  switch (item.field.is) {
    case "group":
      return <Group {...given} fields={item.field.fields} />;
    case "list":
      return <List {...given} />;
    case "boolean":
      return <Buttons {...given} options={YES_NO} />;
    case "choices":
      return <Buttons {...given} options={item.field.options} several />;
    case "choice":
      return item.field.options.length > MAX_RADIOS ? (
        <Menu {...given} />
      ) : (
        <Buttons {...given} options={item.field.options} />
      );
    default:
      return <Box {...given} />;
  }
};

const Group = (props: Controlled & { fields: NamedField[] }) => (
  <fieldset
    class={wrapper(props, "group")}
    id={idOf(props.name)}
    tabindex={-1}
    {...described(props)}
    aria-invalid={undefined}
  >
    <legend>
      <Label item={props.item} lang={props.lang} />
    </legend>
    <Notes {...props} />
    <Controls {...props} />
  </fieldset>
);

/** The fields of a group, named within it. */
export const Controls = ({
  fields,
  name,
  value,
  form,
  autofocus,
  lang,
}: Omit<Controlled, "item"> & { fields: NamedField[] }) => (
  <>
    {fields.map((item, at) => (
      <Control
        item={item}
        name={`${name}[${item.name}]`}
        value={valueAt(value, item.name)}
        form={form}
        autofocus={autofocus && at === 0}
        lang={lang}
      />
    ))}
  </>
);

/** A list with a place for each entry. One that is optional is folded until somebody wants it. */
const List = (props: Controlled) => {
  const { item, name, value, form } = props;
  if (item.field.is !== "list") return null;
  const { of } = item.field;
  const foldable = !item.required && of.is === "group";
  if (!foldable) return <Entries {...props} of={of} />;
  const given = Array.isArray(value) && value.length > 0;
  return (
    <details
      class="fold"
      open={given || isIn(name, form.adding) || [...form.errors.keys()].some((at) => isIn(name, at))}
    >
      <summary>
        <Label item={item} lang={props.lang} />
      </summary>
      <Entries {...props} of={of} />
    </details>
  );
};

/** Whether a control is this one, or within it. */
export const isIn = (name: string, control: string | null): boolean =>
  control === name || control?.startsWith(`${name}[`) === true;

/** The entry of a list that a control is or is in, and the entries around it. */
export const entriesAround = (control: string): string[] =>
  Array.from(control.matchAll(/\[\d{1,6}\]/g).take(MAX_LISTS), ({ 0: at, index }) =>
    control.slice(0, index + at.length),
  );

const Entries = (props: Controlled & { of: Field }) => {
  const { item, name, value, form, of } = props;
  const values = Array.isArray(value) ? value : [];
  const adding = form.adding === name;
  const count = Math.max(1, values.length) + Number(adding);
  return (
    <fieldset
      class={wrapper(props, "group")}
      id={idOf(name)}
      tabindex={-1}
      {...described(props)}
      aria-invalid={undefined}
    >
      <legend>
        <Label item={item} lang={props.lang} />
      </legend>
      <Notes {...props} more="An entry that you leave empty does not count." />
      {Array.from({ length: count }, (_, at) => {
        const label = entryLabel(item.label, at);
        return (
          <div class="entry">
            <Control
              item={{ name: String(at), label, required: true, nullable: false, field: of }}
              name={`${name}[${at}]`}
              value={values[at]}
              form={form}
              autofocus={adding && at === count - 1}
            />
            {at < values.length && (
              <label class="remove">
                <input type="checkbox" name={REMOVE} value={`${name}[${at}]`} /> Remove {label}
              </label>
            )}
          </div>
        );
      })}
      <button type="submit" class="secondary" name={ADD} value={name}>
        Add another
        <span class="sr-only"> to {item.label}</span>
      </button>
    </fieldset>
  );
};
