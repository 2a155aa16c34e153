import system from "../../../prompts/debate/system.md";
import caseText from "../../../prompts/debate/case.md";
import paperSystem from "../../../prompts/debate/paper/system.md";

/**
 * Prompts of this workflow begin alike: the system part, then question and authorities, then the role's task and what varies. So all calls of a
 * run share a prefix, which providers cache; authorities that are found later come after those of before.
 */
const promptOf = (rules: string, task: string): string =>
  `# System\n\n${rules.trim()}\n\n# User\n\n${caseText.trim()}\n\n${task.trim()}\n`;

/** The prompt of a task, and its prompt under the profile `paper`. */
export const promptsOf = (task: string, paperTask = task) => ({
  prompt: promptOf(system, task),
  paper: { prompt: promptOf(paperSystem, paperTask) },
});
