import { confirm, isCancel, select, text } from "@clack/prompts";
import { spawn } from "node:child_process";
import type { Answer, Interaction, Question } from "../index.ts";
import {
  argument,
  type Command,
  type Context,
  flag,
  interactive,
  printJson,
  readJson,
  say,
  table,
} from "./terminal.ts";

type Value = string | number | boolean | null;

/** Asks the person at the terminal. @returns undefined when they leave the question open */
export async function askPerson(interaction: Interaction, signal?: AbortSignal): Promise<Answer | undefined> {
  say(`\n${interaction.prompt}\n`);
  return interaction.kind === "clarification" ? clarify(interaction, signal) : decide(signal);
}

async function clarify({ questions }: Interaction, signal?: AbortSignal): Promise<Answer | undefined> {
  const answers: Record<string, Value> = {};
  for (const question of questions) {
    const value = await askOne(question, signal);
    if (isCancel(value)) return undefined;
    if (value !== undefined) answers[question.id] = value as Value;
  }
  return { answers };
}

/** @returns undefined for an optional question that was left empty */
async function askOne(question: Question, signal?: AbortSignal): Promise<Value | symbol | undefined> {
  const { text: message, type, choices, required } = question;
  if (type === "choice")
    return select({ message, signal, options: (choices ?? []).map((choice) => ({ value: choice, label: choice })) });
  if (type === "boolean") return confirm({ message, signal });
  const isInvalid = (value = "") => {
    if (!value.trim()) return required ? "This question needs an answer." : undefined;
    return type === "number" && Number.isNaN(Number(value)) ? "Write a number." : undefined;
  };
  const value = await text({ message, signal, validate: isInvalid });
  if (isCancel(value)) return value;
  if (!value?.trim()) return undefined;
  return type === "number" ? Number(value) : value;
}

async function decide(signal?: AbortSignal): Promise<Answer | undefined> {
  const options = (["approve", "revise", "reject"] as const).map((value) => ({ value, label: value }));
  const decision = await select({ message: "Your decision", options, signal });
  if (isCancel(decision)) return undefined;
  if (decision !== "revise") return { decision };
  const comment = await text({
    message: "What is to be changed?",
    signal,
    validate: (value) => (value?.trim() ? undefined : "Say what is to be changed."),
  });
  return isCancel(comment) ? undefined : { decision, comment };
}

const FLAGS = { run: { type: "string" }, answer: { type: "string" }, json: { type: "boolean" } } as const;

async function listOpen({ parley, flags }: Context, run: string | undefined): Promise<Interaction[]> {
  const open = await parley.interactions.list({ status: "open", ...(run && { run_id: run }) }).all();
  if (flags.json) printJson(open);
  else if (open.length === 0) say("No question is open.");
  else say(table(open.map(({ id, run_id, kind, prompt }) => [id, run_id, kind, prompt.split("\n")[0]!.slice(0, 80)])));
  return open;
}

export const questions: Record<string, Command> = {
  questions: {
    usage: "questions [--run RUN] [--json]",
    summary: "Lists open questions; at a terminal, answers them one by one",
    flags: FLAGS,
    async run(context) {
      const { parley, flags, signal } = context;
      const open = await listOpen(context, flag(context, "run"));
      if (!interactive() || flags.json) return;
      for (const interaction of open) {
        const answer = await askPerson(interaction, signal);
        if (answer) await parley.interactions.answer(interaction.id, answer);
      }
    },
  },
  "questions answer": {
    usage: "questions answer QUESTION [--answer JSON|FILE]",
    summary: "Answers a question, at the terminal or with a JSON answer",
    flags: FLAGS,
    async run(context) {
      const { parley, signal } = context;
      const id = argument(context, 0, "The id of the question");
      const given = flag(context, "answer");
      const answer = given
        ? ((await readJson(given, "--answer")) as Answer)
        : await askPerson(await parley.interactions.get(id), signal);
      if (answer) printJson(await parley.interactions.answer(id, answer));
    },
  },
  "questions open": {
    usage: "questions open QUESTION",
    summary: "Opens the page that answers a question in your browser",
    async run(context) {
      const { callback_url } = await context.parley.interactions.get(argument(context, 0, "The id of the question"));
      if (!callback_url) throw new Error("The key may not see the page: it lacks the scope runs:write.");
      say(callback_url);
      const opener = { darwin: "open", win32: "explorer" }[process.platform as string] ?? "xdg-open";
      spawn(opener, [callback_url], { stdio: "ignore", detached: true })
        .on("error", () => say("No browser could be started: open the address yourself."))
        .unref();
    },
  },
};
