import { parseArgs } from "node:util";

/** An option of a command: `--name VALUE`, or `--name` alone. */
export interface Option {
  type: "string" | "boolean";
  default?: string | boolean;
  multiple?: boolean;
  /** what is to be written behind the option, as the help shows it */
  value?: string;
  help: string;
}

export interface About<T extends Record<string, Option>> {
  /** of `npm run <name>` */
  name: string;
  /** arguments besides the options, as the help shows them; without these a command takes none */
  takes?: string;
  /** what the command does */
  what: string;
  options?: T;
  /** further lines of the help */
  more?: string;
  /** arguments of an example */
  example?: string;
}

type Value<O extends Option> = O["type"] extends "boolean" ? boolean : O["multiple"] extends true ? string[] : string;

type Values<T extends Record<string, Option>> = {
  [K in keyof T]: T[K] extends { default: unknown }
    ? Value<T[K]>
    : T[K]["type"] extends "boolean"
      ? boolean
      : Value<T[K]> | undefined;
};

/** The arguments are wrong: a sentence that says how. The command ends with 2. */
export class UsageError extends Error {}

/** What `npm run <name> -- --help` prints. */
export function helpOf({ name, takes, what, options = {}, more, example }: About<Record<string, Option>>) {
  const all: Record<string, Option> = { ...options, help: { type: "boolean", help: "prints this text" } };
  const heads = Object.entries(all).map(([flag, { type, value = "TEXT" }]) =>
    type === "boolean" ? `--${flag}` : `--${flag} ${value}`,
  );
  const width = Math.max(...heads.map(({ length }) => length));
  const lines = Object.values(all).map(({ help, default: usual }, at) => {
    const shown = usual === undefined || usual === false || String(usual) === "" ? "" : ` (${String(usual)})`;
    return `  ${heads[at]?.padEnd(width)}  ${help}${shown}`;
  });
  const run = `npm run ${name}`;
  const parts = [
    `${run} --${takes ? ` ${takes}` : ""} [options]`,
    what,
    lines.join("\n"),
    more,
    `Example: ${run}${example ? ` -- ${example}` : ""}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** The arguments of a command. @throws UsageError */
export function argumentsOf<const T extends Record<string, Option> = {}>(
  { takes, options }: Pick<About<T>, "takes" | "options">,
  args: string[],
): { values: Values<T>; positionals: string[] } {
  const off = Object.entries(options ?? {}).filter(([, { type, default: usual }]) => type === "boolean" && !usual);
  try {
    const { values, positionals } = parseArgs({ args, options: options ?? {}, allowPositionals: takes !== undefined });
    return {
      values: { ...Object.fromEntries(off.map(([flag]) => [flag, false])), ...values } as Values<T>,
      positionals,
    };
  } catch (error) {
    const [sentence = ""] = (error as Error).message.split(/\.(?:\s|$)|\n/);
    throw new UsageError(sentence);
  }
}

/** Ends the process with what is wrong in its arguments, in one line. */
export function refuse(name: string, reason: string): never {
  process.stderr.write(`${reason.replace(/\.$/, "")}. \`npm run ${name} -- --help\` says what it takes.\n`);
  process.exit(2);
}

/** The arguments that this process was started with. `--help` ends it with 0, and wrong arguments with 2. */
export function command<const T extends Record<string, Option> = {}>(about: About<T>) {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    process.stdout.write(helpOf(about as About<Record<string, Option>>));
    process.exit(0);
  }
  try {
    return argumentsOf(about, args);
  } catch (error) {
    if (error instanceof UsageError) return refuse(about.name, error.message);
    throw error;
  }
}

/** Does a command's work. An error ends the process with its message: with 2 when the arguments are wrong, else with 1. */
export async function work(name: string, main: () => Promise<void>) {
  await main().catch((error: Error) => {
    if (error instanceof UsageError) refuse(name, error.message);
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
