import { readFileSync } from "node:fs";
import { text as readStream } from "node:stream/consumers";
import { Parley } from "../index.ts";

/** The command was called wrongly: its message is printed with the usage, and the exit code is 2. */
export class UsageError extends Error {}

/** Flags of a command, as `parseArgs` has read them. */
export type Flags = Record<string, string | boolean | string[] | undefined>;

export interface Command {
  usage: string;
  summary: string;
  /** Its own flags; those of every command are in main.ts. */
  flags?: Record<string, { type: "string" | "boolean"; multiple?: boolean }>;
  /** @returns the exit code; 0 when nothing is returned */
  run(context: Context): Promise<number | void>;
}

export interface Context {
  parley: Parley;
  /** Arguments that are no flags, after the command's name. */
  given: string[];
  flags: Flags;
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
}

/** Whether a person can answer at this terminal. */
export const interactive = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** Results go to stdout, so that they can be piped; everything else goes to stderr. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** @throws UsageError naming what is missing */
export function argument({ given }: Context, index: number, name: string): string {
  const value = given[index];
  if (value === undefined) throw new UsageError(`${name} is missing.`);
  return value;
}

/** The text of a flag; undefined where it is absent. */
export const flag = ({ flags }: Context, name: string): string | undefined => flags[name] as string | undefined;

/** @throws UsageError for text that is no number */
export function numberFlag(context: Context, name: string, otherwise: number): number {
  const given = flag(context, name);
  const value = given === undefined ? otherwise : Number(given);
  if (Number.isNaN(value)) throw new UsageError(`--${name} takes a number, not ${given}.`);
  return value;
}

/** A JSON object from a flag: the text itself, or a file's, or with `-` that of stdin. */
export async function readJson(source: string, name: string): Promise<Record<string, unknown>> {
  const text = source.trimStart().startsWith("{") ? source : await readSource(source);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
  }
}

async function readSource(source: string): Promise<string> {
  if (source === "-") return readStream(process.stdin);
  try {
    return readFileSync(source, "utf8");
  } catch (error) {
    throw new UsageError(`${source} is neither JSON nor a file that can be read: ${(error as Error).message}`);
  }
}

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
