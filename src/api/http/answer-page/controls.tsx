import { inWords, type NamedField, type Option } from "#services/interactions/form-fields";
import { valueAt } from "./faults";

/** State of the form that its controls need. */
export interface Form {
  /** True when the form shows sent values, in place of defaults. */
  sent: boolean;
  /** Messages by the name of the control. */
  faults: ReadonlyMap<string, readonly string[]>;
  /** Name of the list that gets one more entry. */
  adding: string | null;
}

interface Controlled {
  item: NamedField;
  name: string;
  value: unknown;
  form: Form;
  autofocus?: boolean;
  autocomplete?: string;
  rows?: number;
  class?: string;
  /** Language of the label. */
  lang?: string;
}

/** Name of the button that adds an entry to a list; its value is the list's name. */
export const ADD = "_add";

/** With more options than this, a menu replaces radio buttons. */
const MOST_RADIOS = 8;

/** The id of a control by its name; of several buttons, only the first has this id. */
export const idOf = (name: string): string =>
  `f-${name.replaceAll(/[^A-Za-z0-9_]/g, (sign) => `-${sign.codePointAt(0)!.toString(16)}-`)}`;

/** One field with its label, hint and faults. */
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
      return item.field.options.length > MOST_RADIOS ? (
        <Menu {...given} />
      ) : (
        <Buttons {...given} options={item.field.options} />
      );
    default:
      return <Box {...given} />;
  }
};

const YES_NO: Option[] = [
  { value: true, label: "Yes" },
  { value: false, label: "No" },
];

const Box = (props: Controlled) => {
  const { item, name, value, autofocus, autocomplete } = props;
  const { field } = item;
  const shared = {
    ...described(props),
    id: idOf(name),
    name,
    autofocus,
    autocomplete: autocomplete ?? "off",
    required: item.required,
  };
  const text = textOf(value, field.is);
  const long = field.is === "json" || field.is === "lines" || (field.is === "text" && field.long);
  return (
    <div class={wrapper(props)}>
      <label for={idOf(name)}>
        <Label item={item} lang={props.lang} />
      </label>
      <Notes {...props} more={field.is === "lines" ? "One a line." : field.is === "json" ? "As JSON." : undefined} />
      {long ? (
        <textarea {...shared} rows={props.rows ?? 4} spellcheck={field.is === "json" ? false : undefined} dir="auto">
          {/* HTML drops one line break after the tag. */}
          {`\n${text}`}
        </textarea>
      ) : (
        <input
          {...shared}
          type="text"
          value={text}
          inputmode={field.is === "number" ? "decimal" : undefined}
          class={field.is === "number" ? "short" : undefined}
          dir="auto"
        />
      )}
    </div>
  );
};

function textOf(value: unknown, is: NamedField["field"]["is"]): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (is === "lines" && Array.isArray(value)) return value.join("\n");
  return is === "json" ? JSON.stringify(value, null, 2) : String(value);
}

const Menu = (props: Controlled) => {
  const { item, name, value, autofocus } = props;
  return (
    <div class={wrapper(props)}>
      <label for={idOf(name)}>
        <Label item={item} lang={props.lang} />
      </label>
      <Notes {...props} />
      <select {...described(props)} id={idOf(name)} name={name} autofocus={autofocus} required={item.required}>
        <option value="">{item.required ? "Choose one" : "No answer"}</option>
        {optionsOf(item).map((option) => (
          <option value={String(option.value)} selected={isChosen(value, option)}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
};

const optionsOf = ({ field }: NamedField) => ("options" in field ? field.options : []);

/** Radio buttons, or check boxes for several choices. An optional question can be cleared again. */
const Buttons = (props: Controlled & { options: Option[]; several?: boolean }) => {
  const { item, name, value, options, several = false, autofocus } = props;
  const id = idOf(name);
  const open = !several && !item.required;
  const chosen = options.some((option) => isChosen(value, option));
  return (
    <fieldset class={wrapper(props)} {...described(props)} aria-invalid={undefined}>
      <legend>
        <Label item={item} lang={props.lang} />
      </legend>
      <Notes {...props} />
      <div class="options">
        {options.map((option, at) => (
          <label class="option">
            <input
              type={several ? "checkbox" : "radio"}
              id={at === 0 ? id : `${id}-${at}`}
              name={name}
              value={String(option.value)}
              checked={isChosen(value, option)}
              required={item.required && !several}
              autofocus={autofocus && at === 0}
            />
            <span>
              {option.label}
              {option.hint && <span class="hint">{option.hint}</span>}
            </span>
          </label>
        ))}
        {open && (
          <label class="option none">
            <input type="radio" name={name} value="" checked={!chosen} />
            <span class="quiet">No answer</span>
          </label>
        )}
      </div>
    </fieldset>
  );
};

const isChosen = (value: unknown, option: Option) =>
  Array.isArray(value) ? value.includes(option.value) : value === option.value;

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

const List = (props: Controlled) => {
  const { item, name, value, form } = props;
  if (item.field.is !== "list") return null;
  const { of } = item.field;
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
      {Array.from({ length: count }, (_, at) => (
        <Control
          item={{ name: String(at), label: `${item.label} ${at + 1}`, required: true, nullable: false, field: of }}
          name={`${name}[${at}]`}
          value={values[at]}
          form={form}
          autofocus={adding && at === count - 1}
          class="entry"
        />
      ))}
      <button type="submit" class="secondary" name={ADD} value={name}>
        Add another
        <span class="sr-only"> to {item.label}</span>
      </button>
    </fieldset>
  );
};

const Label = ({ item, lang }: { item: NamedField; lang?: string }) => (
  <>
    {item.dimension && <span class="dimension">{inWords(item.dimension)}</span>}
    <span lang={lang} dir="auto">
      {item.label}
    </span>
    {!item.required && <span class="quiet"> (optional)</span>}
  </>
);

const Notes = ({ item, name, form, more }: Controlled & { more?: string }) => {
  const hint = [item.hint, more].filter(Boolean).join(" ");
  const faults = form.faults.get(name) ?? [];
  return (
    <>
      {hint && (
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <p class="fault" id={`${idOf(name)}-fault`}>
          <span class="sr-only">Error: </span>
          {faults.join(" ")}
        </p>
      )}
    </>
  );
};

/** The ARIA attributes that point from a control to its hint and its faults. */
function described({ item, name, form }: Pick<Controlled, "item" | "name" | "form">) {
  const wrong = form.faults.has(name);
  const hinted = item.hint || item.field.is === "lines" || item.field.is === "list" || item.field.is === "json";
  const ids = [hinted && `${idOf(name)}-hint`, wrong && `${idOf(name)}-fault`].filter(Boolean);
  return {
    "aria-describedby": ids.length ? ids.join(" ") : undefined,
    "aria-invalid": wrong ? ("true" as const) : undefined,
  };
}

const wrapper = ({ name, form, class: own }: Controlled, kind = "field") =>
  [kind, own, form.faults.has(name) && "wrong"].filter(Boolean).join(" ");
