import { ApiError, ConnectionError } from "@parley/sdk";
import help from "virtual:error-help";

/** What to do about an error of the API or of a run, as the table of errors has it. */
export const helpFor = (code: string | undefined): string | undefined => (code ? help[code] : undefined);

const SCOPES = "The key may not do this. Sign in with a key that has the scope, or ask an administrator for one.";

/** A failed request: what happened, each error, what to do. */
export function ProblemBox({ error, title }: { error: unknown; title?: string }) {
  const { heading, detail, errors, advice } = describeError(error);
  return (
    <div className="box wrong" role="alert">
      <p className="box-title">{title ?? heading}</p>
      <p>{detail}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {advice && <p className="quiet">{advice}</p>}
    </div>
  );
}

function describeError(error: unknown) {
  if (error instanceof ApiError) {
    const { code, detail, errors, status } = error;
    const advice = code === "missing_scope" ? SCOPES : helpFor(code);
    return { heading: `${status} ${code ?? ""}`.trim(), detail, errors: errors, advice };
  }
  if (error instanceof ConnectionError)
    return {
      heading: "The server does not answer",
      detail: error.message,
      errors: [],
      advice: "What is shown is read again by itself. If you pressed a button, press it again.",
    };
  return { heading: "This did not work", detail: String((error as Error)?.message ?? error), errors: [] };
}
