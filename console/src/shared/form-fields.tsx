import { type FormEvent, type ReactNode, useId } from "react";
import { ProblemBox } from "./problem.tsx";

interface TextFieldProps {
  label: string;
  name: string;
  hint?: ReactNode;
  required?: boolean;
  type?: string;
  rows?: number;
  placeholder?: string;
  /** Of a number. */
  min?: number;
  step?: number;
  /** What the field begins with. */
  first?: string | number;
}

/** A labelled field for a text; with `rows`, of several lines. */
export function TextField(props: TextFieldProps) {
  const { label, name, hint, required = false, type = "text", rows, placeholder, min, step, first } = props;
  const id = useId();
  const described = hint ? `${id}-hint` : undefined;
  const common = { id, name, required, placeholder, defaultValue: first, "aria-describedby": described };
  return (
    <div className="field">
      <label htmlFor={id} className={required ? "required" : undefined}>
        {label}
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {rows ? (
        <textarea {...common} rows={rows} />
      ) : (
        <input {...common} type={type} min={min} step={step} autoComplete="off" />
      )}
    </div>
  );
}

interface SmallFormProps {
  title: string;
  button: string;
  busy: boolean;
  error: unknown;
  /** The texts of the fields by their names, without those left empty. */
  onSend: (values: Record<string, string>, form: FormData) => void;
  children: ReactNode;
}

/** A form that is folded until it is needed. */
export function FoldedForm({ title, button, busy, error, onSend, children }: SmallFormProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = [...form].filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
    );
    onSend(Object.fromEntries(texts), form);
  };
  return (
    <details className="fold form">
      <summary>{title}</summary>
      <form onSubmit={send}>
        {children}
        {error !== null && error !== undefined && <ProblemBox error={error} />}
        <button className="primary" disabled={busy}>
          {button}
        </button>
      </form>
    </details>
  );
}

/** A button that asks before it acts. */
export function DangerButton({
  children,
  question,
  onSure,
  disabled,
}: {
  children: ReactNode;
  question: string;
  onSure: () => void;
  disabled?: boolean;
}) {
  return (
    <button type="button" className="danger" disabled={disabled} onClick={() => confirm(question) && onSure()}>
      {children}
    </button>
  );
}
