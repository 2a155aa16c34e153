import { clip } from "#workflow-kit/text";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { About } from "../fields/about";

/** Characters. */
const MAX_TITLE_LENGTH = 200;
const MAX_EXCERPT_LENGTH = 300;

/** Title and excerpt of a new run, each one line of bounded length. @param input as the workflow's schema gave it */
export function aboutInput({ about }: WorkflowDefinition, input: unknown): About["about"] {
  const { title, excerpt } = about(input);
  return { title: title && (oneLine(title, MAX_TITLE_LENGTH) || null), excerpt: oneLine(excerpt, MAX_EXCERPT_LENGTH) };
}

const oneLine = (text: string, longest: number): string =>
  clip(
    text
      .slice(0, 10 * longest)
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, " "),
    longest,
  );
