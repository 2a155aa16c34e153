import type { Demo } from "./demo.ts";
import type { Json } from "../lib/json.ts";
import { bold, dim, green, indent, red, say } from "../lib/terminal.ts";

export const title = "a vague request becomes a program that agents carry out";

const REQUEST =
  "Help me plan a weekend in Lisbon for two people who like science museums: what to see on which day, and what it all costs together.";

export const request: Demo["request"] = (requirement = REQUEST) => ({
  workflow: "waterfall",
  input: { requirement },
  options: { clarification: "ask", max_executions: 5 },
});

export const subject: Demo["subject"] = ({ input }) => input.requirement;

/** A user's answers, by the dimension of the question. */
const ANSWERS: Record<string, string> = {
  purpose: "For the two of us to agree on it, and to book.",
  type: "A short list for each day, and one sum at the end.",
  condition: "At most 400 euros for both, without the flight.",
  status: "Relaxed rather than full.",
  event: "A proposal; I book myself.",
};

/** Answers without a person at the terminal. */
export const suggestions: Demo["suggestions"] = {
  answer({ default: fallback, type, choices, dimension = "" }) {
    const byType: Record<string, string | number | boolean | undefined> = {
      choice: choices?.[0],
      boolean: true,
      number: 2,
    };
    return fallback ?? byType[type] ?? ANSWERS[dimension] ?? "As you think best.";
  },
  feedback: () => "",
};

const short = (text: string, max = 110) => (text.length > max ? `${text.slice(0, max)} …` : text).replace(/\s+/g, " ");

/** Prints the program, its agent calls, and the answer. */
export const show: Demo["show"] = async (output, artifacts, content) => {
  const { answer, accepted, stop_reason, reason, code, executions } = output;
  if (code) {
    say(bold(`Program (run ${executions === 1 ? "once" : `${executions} times`})`));
    say(`\n${indent(code.text.trim())}\n`);
  }
  for (const artifact of artifacts.filter(({ kind }) => kind === "execution_log"))
    showExecution(await content(artifact), artifact.version);
  say(bold(accepted ? "Answer" : `Not accepted: ${stop_reason}${reason ? `. ${reason}` : ""}`));
  say(`\n${indent(answer ?? "No program has returned an answer.")}\n`);
};

function showExecution({ status, error, agent_calls, log, duration_ms }: Json, number: number) {
  const end = status === "returned" ? green("returned") : red(`${error.name}: ${error.message}`);
  say(bold(`Execution ${number}`) + dim(` ${duration_ms} ms, `) + end);
  for (const { agent, task, ok, value, line } of agent_calls) {
    say(`  ${ok ? green("→") : red("✗")} ${agent} ${dim(`(line ${line})`)} ${short(task, 80)}`);
    say(dim(`      ${short(value)}`));
  }
  for (const { level, text } of log) say(dim(`  ${level}: ${short(text)}`));
  say();
}
