import type { AgentProfile } from "#workflow-kit/agents";
import { line, escapeUntrusted } from "#workflow-kit/prompt-values";
import type { Plan, UserLog } from "../artifacts";
import type { FunctionSpec } from "#workflow-kit/functions";
import type { Brief, Evidence } from "../inputs";
import { excerpt } from "../rules/program";
import { requirementOf } from "../rules/requirement";

export const contextValue = (context: string | null) => context && escapeUntrusted(context);

export const functionsValues = (functions: readonly FunctionSpec[]) => ({
  functions: functions.map(({ name, description, parameters }) => ({
    name: line(name),
    description: line(description),
    parameters: line(JSON.stringify(parameters)),
  })),
});

export const briefValues = ({ requirement, context, gherkin, functions }: Brief) => ({
  requirement: escapeUntrusted(requirement),
  context: contextValue(context),
  gherkin: gherkin && escapeUntrusted(gherkin),
  ...functionsValues(functions),
});

export const logValues = ({ requirement, entries, comment }: UserLog) => ({
  log: {
    request: escapeUntrusted(requirement),
    entries: entries.map(({ id, dimension, question, answer, source }) => ({
      id: line(id),
      dimension,
      question: line(question),
      answer: answer === null ? "(none)" : line(answer),
      remark: source === "inferred" ? " (inferred, nobody said so)" : "",
    })),
    comment: comment && line(comment),
  },
});

/** The user log beside a requirement, unless the requirement holds the same words. */
export const logBeside = (log: UserLog, requirement: string) =>
  requirement === requirementOf(log) && log.entries.every(({ source }) => source !== "inferred")
    ? { log: null }
    : logValues(log);

/**
 * What a prompt shows of agents: `short` one phrase, to plan over them; `choice` also when to use them; `use` to ask them; `all` for the paper's
 * worker documentation.
 */
export type CardDetail = "short" | "choice" | "use" | "all";

/** Tools that decide no choice of an agent: they give an agent nothing that another one lacks knowledge of. */
const PLAIN_TOOLS: readonly string[] = ["calculator", "date_arithmetic"];

export function cardValues(
  { name, description, capabilities, when_to_use, input, output, tools }: AgentProfile,
  detail: CardDetail,
) {
  const forUse = detail === "use" || detail === "all";
  const shown = detail === "short" ? tools.filter((tool) => !PLAIN_TOOLS.includes(tool)) : tools;
  return {
    name: line(name),
    description: line(description),
    when_to_use: detail === "choice" || detail === "all" ? line(when_to_use) : "",
    capabilities: detail === "all" ? line(capabilities.join("; ")) : "",
    input: forUse ? line(input) : "",
    output: forUse ? line(output) : "",
    tools: line(shown.join(", ")),
  };
}

export const agentsValues = (agents: readonly AgentProfile[], detail: CardDetail) => ({
  agents: agents.map((agent) => cardValues(agent, detail)),
});

export const tasksValues = (plan: Plan | null) => ({
  tasks: (plan?.tasks ?? []).map(({ task, primary_agent, alternative_agents }, index) => ({
    number: index + 1,
    task: line(task),
    primary: line(primary_agent),
    alternatives: line(alternative_agents.join(", ")),
  })),
});

/** Out of fuel is noticed at a call only, so the place is the last known one. */
function placeOf({ kind, line: at, column }: Evidence["failure"]): string {
  if (at === null) return "";
  const place = `line ${at}, column ${column ?? "?"}`;
  if (kind !== "out_of_fuel") return `At ${place}:`;
  return `Last seen at ${place}, at a call or at the beginning of a function; the loop stands there or after it:`;
}

export const evidenceValues = ({ failure, log, calls }: Evidence, code: string) => ({
  evidence: {
    kind: failure.kind,
    name: line(failure.name),
    message: escapeUntrusted(failure.message),
    place: placeOf(failure),
    excerpt: escapeUntrusted(excerpt(code, failure.line)),
    stack: escapeUntrusted(failure.stack),
    log: log.map(({ level, text }) => line(`${level}: ${text}`)),
    calls: calls.map(({ agent, task, input, ok, value, line: at }) =>
      line(
        `${agent}${at === null ? "" : ` (line ${at})`}, asked: ${task}, given: ${input}, ${ok ? "gave" : "FAILED"}: ${value}`,
      ),
    ),
  },
});
