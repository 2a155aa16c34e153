import { expect, it } from "vitest";
import type { Action } from "#workflow-kit/action";
import { renderPrompt } from "#engine/calls/prompt";

const action = {
  prompt: "# System\nYou sum up.\n# User\n<idea>\n{{idea}}\n</idea>",
  variables: (input: { idea: string }) => ({ idea: input.idea, hidden: "the other one's" }),
} as unknown as Action<{ idea: string }, string>;

it("a person's text is no template: braces stay braces", () => {
  const idea = "{{hidden}} {{{hidden}}} {{#hidden}}x{{/hidden}} {{=<% %>=}} <b>&amp;</b>";
  expect(renderPrompt(action, { idea }).user).toBe(`<idea>\n${idea}\n</idea>`);
  expect(renderPrompt(action, { idea }).system).toBe("You sum up.");
});
