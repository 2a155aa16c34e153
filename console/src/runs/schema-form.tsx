import { createContext, useContext, useId, useState } from "react";
import { CodeInText } from "../shared/code-in-text.tsx";
import { humanize } from "../shared/amounts.ts";
import { controlFor, emptyValue, resolved, type Schema } from "./json-schema.ts";

/** What the API refused, by its path in the request. */
export type FieldErrors = readonly { path: string; message: string }[];

const FormContext = createContext<{ root: Schema; errors: FieldErrors }>({ root: {}, errors: [] });

interface FormProps {
  schema: Schema;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  /** Where the value is in the request, such as `input`. */
  path: string;
  errors: FieldErrors;
}

/** A form made from the schema of an object. Fields that are neither required nor filled in are under "More". */
export function SchemaForm({ schema, value, onChange, path, errors }: FormProps) {
  return (
    <FormContext value={{ root: schema, errors }}>
      {controlFor(schema) === "record" ? (
        <RecordFields schema={schema} value={value} onChange={onChange} path={path} />
      ) : (
        <Field
          schema={schema}
          name={path}
          value={value}
          onChange={(next) => onChange(next as typeof value)}
          path={path}
        />
      )}
    </FormContext>
  );
}

type RecordProps = Omit<FormProps, "errors">;

function RecordFields({ schema, value, onChange, path }: RecordProps) {
  const { errors } = useContext(FormContext);
  const [first] = useState(() => new Set(Object.keys(value)));
  const required = new Set(schema.required);
  const all = Object.entries(schema.properties!);
  const shown = all.filter(([name]) => required.has(name) || first.has(name));
  const more = all.filter(([name]) => !required.has(name) && !first.has(name));
  const set = (name: string, next: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  const fieldOf = ([name, member]: [string, Schema]) => (
    <Field
      key={name}
      schema={member}
      name={name}
      value={value[name]}
      required={required.has(name)}
      onChange={(next) => set(name, next)}
      path={`${path}.${name}`}
    />
  );
  const invalid = more.some(([name]) => errors.some((fieldError) => fieldError.path.startsWith(`${path}.${name}`)));
  return (
    <>
      {shown.map(fieldOf)}
      {more.length > 0 && (
        <details className="fold" open={invalid || undefined}>
          <summary>{shown.length > 0 ? `More (${more.length})` : `Settings (${more.length})`}</summary>
          {more.map(fieldOf)}
        </details>
      )}
    </>
  );
}

interface FieldProps {
  schema: Schema;
  name: string;
  value: unknown;
  required?: boolean;
  /** undefined leaves the field out. */
  onChange: (value: unknown) => void;
  path: string;
}

function Field({ schema: given, name, value, required = false, onChange, path }: FieldProps) {
  const { root, errors } = useContext(FormContext);
  const id = useId();
  const schema = resolved(given, root);
  const own = errors.filter((fieldError) => fieldError.path === path);
  const control = controlFor(schema);
  const props = { id, schema, value, required, onChange, path, hint: schema.description ? `${id}-hint` : undefined };
  const errorList = own.map(({ message }) => (
    <p key={message} className="field-error">
      {message}
    </p>
  ));
  if (control === "list" || control === "record")
    return (
      <fieldset>
        <legend className={required ? "required" : undefined}>{humanize(name)}</legend>
        {schema.description && (
          <p className="hint">
            <CodeInText text={schema.description} />
          </p>
        )}
        {errorList}
        {control === "list" ? <ListControl {...props} /> : <RecordControl {...props} />}
      </fieldset>
    );
  return (
    <div className={own.length > 0 ? "field wrong" : "field"}>
      <label htmlFor={id} className={required ? "required" : undefined}>
        {humanize(name)}
      </label>
      {schema.description && (
        <p className="hint" id={`${id}-hint`}>
          <CodeInText text={schema.description} />
        </p>
      )}
      {control === "json" ? <JsonControl {...props} /> : <PlainControl {...props} control={control} />}
      {errorList}
    </div>
  );
}

interface ControlProps extends Omit<FieldProps, "name"> {
  id: string;
  hint: string | undefined;
}

const describeDefault = ({ default: value }: Schema): string =>
  value === undefined
    ? "not given"
    : `by default ${typeof value === "string" ? value || "empty" : JSON.stringify(value)}`;

function PlainControl({ control, id, schema, value, required, onChange, hint }: ControlProps & { control: string }) {
  const common = { id, required, "aria-describedby": hint };
  if (control === "choice" || control === "switch") {
    const values = control === "switch" ? [true, false] : schema.enum!;
    return (
      <select
        {...common}
        value={value === undefined ? "" : JSON.stringify(value)}
        onChange={({ target }) => onChange(target.value ? JSON.parse(target.value) : undefined)}
      >
        {(!required || value === undefined) && <option value="">{describeDefault(schema)}</option>}
        {values.map((each) => (
          <option key={String(each)} value={JSON.stringify(each)}>
            {typeof each === "boolean" ? (each ? "yes" : "no") : String(each)}
          </option>
        ))}
      </select>
    );
  }
  if (control === "number")
    return (
      <input
        {...common}
        type="number"
        step={schema.type === "integer" ? 1 : "any"}
        min={schema.minimum}
        max={schema.maximum}
        value={value === undefined ? "" : Number(value)}
        placeholder={describeDefault(schema)}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
      />
    );
  const text = {
    value: (value as string | undefined) ?? "",
    placeholder: required ? undefined : describeDefault(schema),
  };
  const changed = ({ target }: { target: { value: string } }) =>
    onChange(target.value === "" && !required ? undefined : target.value);
  return control === "text" ? (
    <input {...common} {...text} type="text" maxLength={schema.maxLength} onChange={changed} />
  ) : (
    <textarea {...common} {...text} rows={3} onChange={changed} />
  );
}

/** A value without a simpler form, as JSON. It is taken over as soon as it can be read. */
function JsonControl({ id, value, onChange, hint }: ControlProps) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [fieldError, setFailure] = useState("");
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      setFailure("");
    } catch (error) {
      setFailure(`This is not JSON yet: ${(error as Error).message}`);
    }
  };
  return (
    <>
      <textarea
        id={id}
        className="code"
        rows={3}
        spellCheck={false}
        value={text}
        aria-describedby={hint}
        aria-invalid={fieldError !== ""}
        placeholder="JSON"
        onChange={({ target }) => change(target.value)}
      />
      {fieldError && <p className="field-error">{fieldError}</p>}
    </>
  );
}

function RecordControl({ schema, value, required, onChange, path }: ControlProps) {
  if (value === undefined && !required)
    return (
      <p>
        <button type="button" onClick={() => onChange(emptyValue(schema))}>
          Fill in
        </button>
      </p>
    );
  return (
    <>
      <RecordFields schema={schema} value={(value ?? {}) as Record<string, unknown>} onChange={onChange} path={path} />
      {!required && (
        <p className="entry-end">
          <button type="button" className="plain" onClick={() => onChange(undefined)}>
            Leave out
          </button>
        </p>
      )}
    </>
  );
}

function ListControl({ schema, value, onChange, path }: ControlProps) {
  const { root } = useContext(FormContext);
  const entries = (value ?? []) as unknown[];
  const member = resolved(schema.items as Schema, root);
  const replace = (at: number, ...next: unknown[]) => {
    const after = entries.toSpliced(at, 1, ...next);
    onChange(after.length > 0 ? after : undefined);
  };
  return (
    <>
      {entries.map((entry, at) => (
        // Entries have no names; their order is what they are.
        <div className="entry" key={at}>
          {controlFor(member) === "record" ? (
            <RecordFields
              schema={member}
              value={entry as Record<string, unknown>}
              onChange={(next) => replace(at, next)}
              path={`${path}[${at}]`}
            />
          ) : (
            <Field
              schema={member}
              name={`${at + 1}`}
              value={entry}
              required
              onChange={(next) => replace(at, next)}
              path={`${path}[${at}]`}
            />
          )}
          <p className="entry-end">
            <button type="button" className="plain" onClick={() => replace(at)}>
              Remove {at + 1}
            </button>
          </p>
        </div>
      ))}
      <p>
        <button
          type="button"
          disabled={schema.maxItems !== undefined && entries.length >= schema.maxItems}
          onClick={() => onChange([...entries, emptyValue(member)])}
        >
          Add
        </button>
      </p>
    </>
  );
}
