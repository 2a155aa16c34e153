import { humanize, type NamedField, type Option } from "#services/interactions/form-fields";
import { Words } from "./words";

/** State of the form that its controls need. */
export interface Form {
  /** True when the form shows sent values, in place of defaults. */
  sent: boolean;
  /** Messages by the name of the control. */
  errors: ReadonlyMap<string, readonly string[]>;
  /** Name of the list that gets one more entry. */
  adding: string | null;
  /** True in the form that edits an artifact: boxes are as high as their texts. */
  fitted?: boolean;
  /** What ids in the values stand for. */
  names: Readonly<Record<string, string>>;
}

export interface Controlled {
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

/** The id of a control by its name; of several buttons, only the first has this id. */
export const idOf = (name: string): string =>
  `f-${name.replaceAll(/[^A-Za-z0-9_]/g, (sign) => `-${sign.codePointAt(0)!.toString(16)}-`)}`;

/** A field that takes null, or a text without words, may stay empty. */
const isRequired = ({ required, nullable, field }: NamedField) =>
  required && !nullable && !(field.is === "text" && field.blank);

export const YES_NO: Option[] = [
  { value: true, label: "Yes" },
  { value: false, label: "No" },
];

export const Box = (props: Controlled) => {
  const { item, name, value, form, autofocus, autocomplete } = props;
  const { field } = item;
  const shared = {
    ...described(props),
    id: idOf(name),
    name,
    autofocus,
    autocomplete: autocomplete ?? "off",
    required: isRequired(item),
  };
  const text = textOf(value, field.is);
  const long =
    field.is === "json" || field.is === "lines" || (field.is === "text" && field.long) || text.includes("\n");
  return (
    <div class={wrapper(props)}>
      <label for={idOf(name)}>
        <Label item={item} lang={props.lang} />
      </label>
      <Notes {...props} more={moreOf(props)} />
      {long ? (
        <textarea
          {...shared}
          rows={props.rows ?? (form.fitted ? rowsFor(text) : 4)}
          class={form.fitted ? "fitted" : undefined}
          spellcheck={field.is === "json" ? false : undefined}
          dir="auto"
        >
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

/** Where a browser does not fit the box to its text. */
const rowsFor = (text: string): number =>
  Math.min(
    14,
    text.split("\n").reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / 70)), 0),
  );

/** How to write the value, or what the id in it stands for. */
function moreOf({ item: { field }, value, form }: Controlled): string | undefined {
  if (field.is === "lines") return "One a line.";
  if (field.is === "json") return "As JSON.";
  return typeof value === "string" && Object.hasOwn(form.names, value) ? `${value}: ${form.names[value]}` : undefined;
}

function textOf(value: unknown, is: NamedField["field"]["is"]): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (is === "lines" && Array.isArray(value)) return value.join("\n");
  return is === "json" ? JSON.stringify(value, null, 2) : String(value);
}

export const Menu = (props: Controlled) => {
  const { item, name, value, autofocus } = props;
  return (
    <div class={wrapper(props)}>
      <label for={idOf(name)}>
        <Label item={item} lang={props.lang} />
      </label>
      <Notes {...props} />
      <select {...described(props)} id={idOf(name)} name={name} autofocus={autofocus} required={isRequired(item)}>
        <option value="">{isRequired(item) ? "Choose one" : "No answer"}</option>
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
export const Buttons = (props: Controlled & { options: Option[]; several?: boolean }) => {
  const { item, name, value, options, several = false, autofocus } = props;
  const id = idOf(name);
  const open = !several && !isRequired(item);
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
              required={isRequired(item) && !several}
              autofocus={autofocus && at === 0}
            />
            <span>
              {option.label}
              {option.hint && (
                <span class="hint">
                  <Words text={option.hint} />
                </span>
              )}
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

export const Label = ({ item, lang }: { item: NamedField; lang?: string }) => (
  <>
    {item.dimension && <span class="dimension">{humanize(item.dimension)}</span>}
    <span lang={lang} dir="auto">
      {item.label}
    </span>
    {(!item.required || item.nullable) && <span class="quiet"> (optional)</span>}
  </>
);

export const Notes = ({ item, name, form, more }: Controlled & { more?: string }) => {
  const hint = [item.hint, more].filter(Boolean).join(" ");
  const errors = form.errors.get(name) ?? [];
  return (
    <>
      {hint && (
        <p class="hint" id={`${idOf(name)}-hint`}>
          <Words text={hint} />
        </p>
      )}
      {errors.length > 0 && (
        <p class="field-error" id={`${idOf(name)}-error`}>
          <span class="sr-only">Error: </span>
          {errors.join(" ")}
        </p>
      )}
    </>
  );
};

/** The ARIA attributes that point from a control to its hint and its errors. */
export function described(props: Controlled) {
  const { item, name, form } = props;
  const wrong = form.errors.has(name);
  const hinted = item.hint || item.field.is === "list" || moreOf(props) !== undefined;
  const ids = [hinted && `${idOf(name)}-hint`, wrong && `${idOf(name)}-error`].filter(Boolean);
  return {
    "aria-describedby": ids.length ? ids.join(" ") : undefined,
    "aria-invalid": wrong ? ("true" as const) : undefined,
  };
}

export const wrapper = ({ name, form, class: own }: Controlled, kind = "field") =>
  [kind, own, form.errors.has(name) && "wrong"].filter(Boolean).join(" ");
