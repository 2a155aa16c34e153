/** The profile `paper` of every workflow: its options are valid, and differ from the defaults. */
import { describe, expect, test } from "vitest";
import { toJsonSchema } from "#services/runs/describe-workflow";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { workflows } from "#workflows/index";

describe.each(Object.entries(workflows as Record<string, WorkflowDefinition>))("%s", (_name, workflow) => {
  const { options, paper_options = {}, actions, roles, example } = workflow;
  const inPaper = { ...paper_options, profile: "paper" };

  test("takes the paper's options, with those of its example too", () => {
    expect(options.safeParse(inPaper).error).toBeUndefined();
    expect(options.safeParse({ ...inPaper, ...(example.options as object) }).error).toBeUndefined();
  });

  test("states no option of the paper that is our default anyway", () => {
    const properties = toJsonSchema(options, "input").properties as Record<string, { default?: unknown }>;
    for (const [name, value] of Object.entries(paper_options)) {
      expect(properties).toHaveProperty(name);
      expect(properties[name]!.default, name).not.toEqual(value);
    }
  });

  test("differs under the paper's profile in at least one prompt", () => {
    const changed = actions.filter(({ paper }) => paper?.prompt !== undefined);
    expect(changed.length).toBeGreaterThan(0);
    for (const { prompt, paper, name } of changed) expect(paper!.prompt, name).not.toBe(prompt);
  });

  test("states no decoding of the paper that is our default anyway", () => {
    for (const { decoding, paper_decoding, name } of roles) expect(paper_decoding, name).not.toEqual(decoding);
  });
});
