/** The one logger: a line of JSON an entry, which Workers Logs indexes field by field. */

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  /** Entries below it are not written. */
  level: LogLevel;
  /** Whether prompts, answers and the wording of errors may stand in the log. Secrets never do. */
  content: boolean;
  code_version: string;
}

export interface LogFields {
  request_id?: string;
  tenant_id?: string;
  key_id?: string;
  run_id?: string;
  stage?: string | null;
  /** Name of the act, `stage/action#key`. */
  act?: string;
  /** What was thrown. */
  error?: unknown;
  /** What people and models wrote; left out unless LOG_CONTENT says otherwise. */
  content?: unknown;
  [name: string]: unknown;
}

let settings: LogSettings = { level: "info", content: false, code_version: "unknown" };

/** Called by whatever wires an isolate's parts from the environment; until then the log is as quiet as can be. */
export function configureLog(wanted: LogSettings): void {
  settings = wanted;
}

export const log = {
  debug: (message: string, fields?: LogFields) => write("debug", message, fields),
  info: (message: string, fields?: LogFields) => write("info", message, fields),
  warn: (message: string, fields?: LogFields) => write("warn", message, fields),
  error: (message: string, fields?: LogFields) => write("error", message, fields),
};

function write(level: LogLevel, message: string, { error, content, ...fields }: LogFields = {}): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(settings.level)) return;
  const entry = {
    level,
    message,
    ...fields,
    ...(error === undefined ? {} : { error: describeError(error) }),
    ...(settings.content && content !== undefined ? { content } : {}),
    code_version: settings.code_version,
  };
  console[level](withoutSecrets(JSON.stringify(entry)));
}

/** Name, wording and place of an error. What it quotes may be anybody's text: V8 quotes the JSON that it could not parse. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: wording(String(error)) };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message: wording(error.message),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(frames.length ? { stack: frames.map((line) => line.trim()) } : {}),
  };
}

const LONGEST_WORDING = 300;
/** From the first quotation mark of a sort to the last, because what is quoted may hold more of them. */
const QUOTED = /"[^]*"|`[^]*`|“[^]*”|'[^]*'/g;

const wording = (text: string) => (settings.content ? text : text.replace(QUOTED, "…").slice(0, LONGEST_WORDING));

/** What opens something, wherever it slipped into an entry: API keys, webhook secrets, callback tokens, keys of providers. */
const SECRETS =
  /(parley_(?:test|live)_|whsec_|(?<![A-Za-z0-9])sk-|[Bb]earer\s+|int_[0-9A-Z]{26}\.)[A-Za-z0-9+/=_-]{8,}/g;

const withoutSecrets = (text: string) => text.replace(SECRETS, "$1…");
