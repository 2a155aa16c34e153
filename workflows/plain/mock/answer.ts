import type { Feedback } from "#workflow-kit/action";
import { sampleCalls } from "#workflow-kit/sample-calls";
import { quoted } from "#workflow-kit/text";
import type { AnswerInput } from "../inputs";

const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``;

/** @param outcome `formless`: a reply without the form that was asked for */
export function mockAnswer(
  { request, form, labels, functions }: AnswerInput,
  outcome: string,
  feedback?: Feedback<string>,
): string {
  const remark = feedback ? ` It minds: ${quoted(feedback.comment, 160)}.` : "";
  const reasoning = `The request is "${quoted(request, 160)}". One reply must do.${remark}`;
  if (outcome === "formless") return reasoning;
  if (functions.length) return `${reasoning}\n\n${block({ calls: sampleCalls(functions, request) })}`;
  if (form === "line") return `${reasoning}\n\nAnswer: ${labels?.[0] ?? 1}`;
  if (form === "json") return `${reasoning}\n\n${block({ request: quoted(request, 80) })}`;
  return `${reasoning}\n\nHere stands what a model answers to it in one go.`;
}
