#!/usr/bin/env node
import { parseArgs } from "node:util";
import { ApiError, AuthenticationError, Parley } from "../index.ts";
import { experiment } from "./experiment.ts";
import { files } from "./files.ts";
import { keys } from "./keys.ts";
import { listen } from "./listen.ts";
import { questions } from "./questions.ts";
import { runs } from "./runs.ts";
import { type Command, type Flags, print, say, UsageError } from "./terminal.ts";

const COMMANDS: Record<string, Command> = { ...runs, ...questions, ...files, ...experiment, ...keys, ...listen };
/** Flags of every command. */
const COMMON = {
  "api-key": { type: "string" },
  "base-url": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const HELP = `parley: runs published multi-agent LLM methods.

${Object.values(COMMANDS)
  .map(({ usage, summary }) => `  ${usage}\n      ${summary}.`)
  .join("\n")}

Every command takes --api-key and --base-url, by default PARLEY_API_KEY and PARLEY_BASE_URL.
Exit codes: 0 done; 1 the run or the request failed; 2 the command was called wrongly.`;

/** The command of the arguments' first words, and the arguments behind them. */
function find(given: string[]): { command: Command; rest: string[] } | undefined {
  for (const words of [2, 1]) {
    const command = COMMANDS[given.slice(0, words).join(" ")];
    if (command) return { command, rest: given.slice(words) };
  }
  return undefined;
}

/** Why the arguments name no command: `parley runs` gets the list of the commands of `runs`. */
function unknownCommand(given: string[]): UsageError {
  const ofGroup = Object.keys(COMMANDS).filter((name) => name.startsWith(`${given[0]} `));
  const known = ofGroup.length > 0 ? `There is ${ofGroup.join(", ")}.` : "`parley --help` lists all.";
  return new UsageError(`There is no command ${given.slice(0, 2).join(" ")}. ${known}`);
}

async function main(given: string[]): Promise<number> {
  const found = find(given);
  if (!found) {
    if (given.length === 0 || given.includes("--help") || given.includes("-h")) {
      print(HELP);
      return 0;
    }
    throw unknownCommand(given);
  }
  const { command, rest } = found;
  const { values, positionals } = parse(command, rest);
  if (values.help) {
    print(`parley ${command.usage}\n\n${command.summary}.`);
    return 0;
  }
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("Stopped."));
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  const parley = new Parley({
    apiKey: values["api-key"] as string | undefined,
    baseURL: values["base-url"] as string | undefined,
  });
  const context = { parley, given: positionals, flags: values, signal: stopping.signal };
  return (await command.run(context).catch((error) => Promise.reject(withUsage(error, command)))) ?? 0;
}

function parse(command: Command, args: string[]): { values: Flags; positionals: string[] } {
  try {
    const options = { ...COMMON, ...command.flags };
    return parseArgs({ args, options, allowPositionals: true }) as { values: Flags; positionals: string[] };
  } catch (error) {
    throw withUsage(new UsageError((error as Error).message), command);
  }
}

const withUsage = (error: unknown, { usage }: Command): unknown =>
  error instanceof UsageError ? new UsageError(`${error.message}\nUsage: parley ${usage}`) : error;

function explain(error: unknown): number {
  if (error instanceof ApiError && error.requestId) say(`${error.message} (request ${error.requestId})`);
  else say((error as Error).message);
  if (error instanceof AuthenticationError) say("Give a valid key as --api-key, or set PARLEY_API_KEY.");
  return error instanceof UsageError ? 2 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
