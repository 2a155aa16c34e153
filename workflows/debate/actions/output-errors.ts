import { line, repeated } from "#workflow-kit/prompt-values";
import type { Question } from "../artifacts";
import { parseChoice } from "../rules/question";

/** Lists the texts without a letter or digit. A weak model copies the template of its prompt, "…" included. */
export const wordless = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => !/[\p{L}\p{N}]/u.test(text)).map(([where]) => `${where} says nothing.`);

export const unknownLabels = (labels: readonly string[], { choices }: Question): string[] =>
  labels
    .filter((label) => parseChoice(label, choices) === null)
    .map(
      (label) => `No option is labeled "${line(label)}". The labels are ${choices.map((one) => one.label).join(", ")}.`,
    );

/** Errors of a list that has every option once. */
export function optionErrors(options: readonly { label: string }[], question: Question): string[] {
  const labels = options.map(({ label }) => label);
  const named = labels.map((label) => parseChoice(label, question.choices));
  const left_out = question.choices.filter(({ label }) => !named.includes(label)).map(({ label }) => line(label));
  return [
    ...unknownLabels(labels, question),
    ...repeated("label", labels),
    ...(left_out.length ? [`These options are left out: ${left_out.join(", ")}.`] : []),
  ];
}
