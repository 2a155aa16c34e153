import { StorageUnavailableError } from "./unavailable";

/** The logger: one line of JSON per entry; Workers Logs indexes its fields. */

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  /** Entries below this level are not written. */
  level: LogLevel;
  /** Whether prompts, answers and error messages may be logged. Secrets never are. */
  content: boolean;
  code_version: string;
}

export interface LogFields {
  request_id?: string;
  tenant_id?: string;
  key_id?: string;
  run_id?: string;
  stage?: string | null;
  /** Name of the step, `stage/action#key`. */
  step?: string;
  /** The thrown value. */
  error?: unknown;
  /** Text of people and models; logged only if `content` of the settings is true. */
  content?: unknown;
  [name: string]: unknown;
}

let settings: LogSettings = { level: "info", content: false, code_version: "unknown" };

/** Called once per isolate, with settings from the environment; until then the defaults above apply. */
export function configureLog(wanted: LogSettings): void {
  settings = wanted;
}

/** While storage is away, all work fails for the same cause: it gets one line of each message in this time. Milliseconds. */
const CAUSE_INTERVAL_MS = 1000;
const MAX_CAUSES = 100;

/** When a message was last written with a cause, and how often it was left out since then. */
const causes = new Map<string, { at: number; left_out: number }>();

const isStorageFailure = (error: unknown): error is Error =>
  error instanceof StorageUnavailableError ||
  (error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR");

/** How often a line was left out since it was last written; null: this one is left out, too. */
function countLeftOut(message: string, cause: Error): number | null {
  const key = `${message}: ${cause.message}`;
  const now = Date.now();
  const last = causes.get(key);
  if (last && Math.abs(now - last.at) < CAUSE_INTERVAL_MS) {
    last.left_out++;
    return null;
  }
  if (causes.size >= MAX_CAUSES) causes.clear();
  causes.set(key, { at: now, left_out: 0 });
  return last?.left_out ?? 0;
}

export const log = {
  debug: (message: string, fields?: LogFields) => write("debug", message, fields),
  info: (message: string, fields?: LogFields) => write("info", message, fields),
  warn: (message: string, fields?: LogFields) => write("warn", message, fields),
  error: (message: string, fields?: LogFields) => write("error", message, fields),
};

function write(level: LogLevel, message: string, { error, content, ...fields }: LogFields = {}): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(settings.level)) return;
  const left_out = isStorageFailure(error) ? countLeftOut(message, error) : 0;
  if (left_out === null) return;
  const entry = {
    ts: new Date().toISOString(),
    level,
    message,
    ...fields,
    ...(left_out > 0 && { left_out }),
    ...(error === undefined ? {} : { error: describeError(error) }),
    ...(settings.content && content !== undefined ? { content } : {}),
    code_version: settings.code_version,
  };
  console[level](withoutSecrets(JSON.stringify(entry)));
}

/** Name, message, code and stack of an error. Its message may quote user text: V8 quotes JSON that it could not parse. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: safeMessage(String(error)) };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message: safeMessage(error.message),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(frames.length ? { stack: frames.map((line) => line.trim()) } : {}),
  };
}

/** Characters. */
const MAX_MESSAGE_LENGTH = 300;
/** From the first quotation mark of a kind to the last, because the quoted text may contain more of them. */
const QUOTED = /"[^]*"|`[^]*`|“[^]*”|'[^]*'/g;

const safeMessage = (text: string) =>
  settings.content ? text : text.replace(QUOTED, "…").slice(0, MAX_MESSAGE_LENGTH);

/** Credentials anywhere in a text: API keys, webhook secrets, callback tokens, keys of providers. */
const SECRETS =
  /(parley_(?:test|live)_|whsec_|(?<![A-Za-z0-9])sk-|[Bb]earer\s+|int_[0-9A-Z]{26}(?:~\d+)?\.(?:[0-9a-f]{8}\.)?)[A-Za-z0-9+/=_-]{8,}/g;

/** A text with the credentials in it cut off after their first letters. */
export const withoutSecrets = (text: string) => text.replace(SECRETS, "$1…");
