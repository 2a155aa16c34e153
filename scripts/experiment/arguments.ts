import { type Kind, KINDS, type Variant } from "./kinds.ts";
import { argumentsOf, helpOf } from "../lib/command.ts";
import { CommandError } from "./command-error.ts";

const kinds = KINDS.map(({ name, title }) => `  ${name.padEnd(13)} ${title}`).join("\n");

const ABOUT = {
  name: "experiment",
  takes: "<kind>",
  what: `Runs variants of a method on the items of a data set, scores what came out, and writes a report. Kinds:

${kinds}`,
  options: {
    data: {
      type: "string",
      value: "FOLDER",
      help: "a published set, or your own items (datasets/README.md); by default our small sample of the kind",
    },
    items: { type: "string", value: "N", help: "only N items, drawn at random: the same ones each time" },
    tags: { type: "string", value: "a,b", help: "only items with any of these tags" },
    variants: {
      type: "string",
      value: "a,b",
      help: "only these variants, in this order; the first is compared with each other one",
    },
    repetitions: { type: "string", value: "N", default: "1", help: "trials of each variant on each item, 1 to 20" },
    reuse: {
      type: "boolean",
      help: "takes completed trials of your earlier experiments that are equal in request, code and prompts",
    },
    live: {
      type: "boolean",
      help: "asks real models, which costs money; without it every model is a mock, and scores mean nothing",
    },
    yes: { type: "boolean", help: "does not ask before it pays" },
    url: { type: "string", value: "URL", help: "a running server, in place of one that the command starts" },
    key: { type: "string", value: "KEY", help: "of that server; its mode must fit --live" },
    run: { type: "string", value: "RUN", help: "continues with an experiment that was started before" },
    out: { type: "string", value: "FOLDER", help: "where the report goes; by default dist/experiments/<kind>-<run>" },
  },
  more: `Without --url it starts the server of \`npm run dev\`, on the same data (PARLEY_STATE, by default .parley), and stops it at the end; the environment
names the provider (OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, PROVIDERS).

Exit codes: 0 done; 1 the experiment failed or was refused; 2 the arguments or the data are wrong; 3 not confirmed, so nothing was paid; 130 stopped by
Ctrl-C, the experiment can be continued.`,
  example: "mgsm --items 5",
} as const;

export const HELP = helpOf(ABOUT);

export interface Arguments {
  /** null with `run` */
  kind: Kind | null;
  variants: Variant[];
  data: string | undefined;
  items: number | undefined;
  tags: string[] | undefined;
  repetitions: number;
  reuse: boolean;
  live: boolean;
  yes: boolean;
  server: { url: string; key: string } | null;
  run: string | undefined;
  out: string | undefined;
}

/**
 * @param args of the command line
 * @throws CommandError with what to write instead
 */
export function readArguments(args: string[]): Arguments {
  const { values, positionals } = parsedFlags(args);
  const { data, items, tags, variants, repetitions, url, key, run, out, ...switches } = values;
  const rest = { data, run, out, ...switches, server: serverOf(url, key, switches.live, run) };
  const kind = kindOf(positionals, run);
  return {
    ...rest,
    kind,
    variants: kind ? variantsOf(kind, variants) : [],
    items: items === undefined ? undefined : wholeNumber("--items", items, 5000),
    tags: tags === undefined ? undefined : tags.split(",").map((tag) => tag.trim()),
    repetitions: wholeNumber("--repetitions", repetitions, 20),
  };
}

function parsedFlags(args: string[]) {
  try {
    return argumentsOf(ABOUT, args);
  } catch (error) {
    throw new CommandError(`${(error as Error).message}. \`npm run experiment -- --help\` lists the flags.`);
  }
}

const NAMES = KINDS.map(({ name }) => name).join(", ");

function kindOf(positionals: string[], run: string | undefined) {
  if (run !== undefined) {
    if (positionals.length)
      throw new CommandError("--run continues with an experiment as it was started; leave the kind out.");
    return null;
  }
  const [name, ...more] = positionals;
  if (name === undefined) throw new CommandError(`Name a kind: ${NAMES}. \`npm run experiment -- --help\` says more.`);
  if (more.length) throw new CommandError(`Name one kind; there are ${positionals.length}: ${positionals.join(", ")}.`);
  const kind = KINDS.find((one) => one.name === name);
  if (!kind) throw new CommandError(`There is no kind ${name}; there is ${NAMES}.`);
  return kind;
}

function variantsOf(kind: Kind, list: string | undefined) {
  if (list === undefined) return kind.variants;
  const all = [...kind.variants, ...(kind.further ?? [])];
  const names = list.split(",").map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new CommandError(`--variants names ${twice} twice; name each variant once.`);
  return names.map((name) => {
    const variant = all.find((one) => one.name === name);
    if (variant) return variant;
    throw new CommandError(
      `${kind.name} has no variant ${JSON.stringify(name)}; it has ${all.map((one) => one.name).join(", ")}.`,
    );
  });
}

function wholeNumber(flag: string, text: string, most: number) {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new CommandError(`${flag} is ${JSON.stringify(text)}; write a whole number from 1 to ${most}.`);
}

/** A running server. A live key without `--live` would pay, and a test key with it would not. */
function serverOf(url: string | undefined, key: string | undefined, live: boolean, run: string | undefined) {
  if (url === undefined && key === undefined) return null;
  if (url === undefined) throw new CommandError("--key needs --url, the address of the server that knows the key.");
  if (key === undefined) throw new CommandError("--url needs --key, an API key of that server.");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`--url is ${JSON.stringify(url)}; write an address such as http://127.0.0.1:8787.`);
  const isLive = key.startsWith("parley_live_");
  if (run === undefined && isLive && !live)
    throw new CommandError("The key is live, so this would cost money. Add --live if you mean it, or give a test key.");
  if (run === undefined && !isLive && live)
    throw new CommandError("--live needs a live key (parley_live_…): a test key uses the mock model.");
  return { url, key };
}
