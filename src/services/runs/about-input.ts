import { clip } from "#workflow-kit/text";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { About } from "../fields/about";

/** Characters. */
const LONGEST_TITLE = 200;
const LONGEST_EXCERPT = 300;

/** Title and excerpt of a new run, each one line of bounded length. @param input as the workflow's schema gave it */
export function aboutInput({ about }: WorkflowDefinition, input: unknown): About["about"] {
  const { title, excerpt } = about(input);
  return { title: title && (oneLine(title, LONGEST_TITLE) || null), excerpt: oneLine(excerpt, LONGEST_EXCERPT) };
}

const oneLine = (text: string, longest: number): string =>
  clip(
    text
      .slice(0, 10 * longest)
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, " "),
    longest,
  );
