import { describe, expect, test } from "vitest";
import { actions } from "#workflows/requirements/actions/index";
import { checkTrace, leadsTo } from "#workflows/requirements/rules/migration";

const trace = (...actionNames: string[]) => actionNames.map((caused_by) => ({ caused_by }));
const ELICITED = [
  "human_interaction",
  "derive_acceptance_criteria",
  "speak_user_stories",
  "speak_user_stories",
  "propose_question",
  "answer_question",
  "answer_question",
  "propose_question",
  "answer_question",
  "answer_question",
  "write_req_draft",
];
const MODELED = [
  "extract_entity",
  "extract_entity",
  "extract_relation",
  "merge_model",
  "draw_diagram",
  "draw_diagram",
  "draw_diagram",
];
const ACCEPTED = ["check_requirement", "write_srs", "assemble_specification"];
const REVISED = ["revise_req_draft", "apply_changes"];
const REJECTED = ["check_requirement", "write_check_report"];

describe("the migration table", () => {
  test("leads to every action of the workflow", () => {
    for (const { name } of actions) {
      const sources = ["human_interaction", "provide_draft", "merge_model", ...actions.map((action) => action.name)];
      expect(
        sources.some((source) => leadsTo(source, name)),
        name,
      ).toBe(true);
    }
  });

  test("has no other names", () => {
    expect(leadsTo("toString", "write_srs")).toBe(false);
    expect(leadsTo("write_srs", "write_srs")).toBe(false);
  });
});

describe("these traces follow the table:", () => {
  test.each([
    ["accepted at once", [...ELICITED, ...MODELED, ...ACCEPTED]],
    [
      "accepted after an improvement",
      [...ELICITED, ...MODELED, ...REJECTED, "write_req_draft", ...MODELED, ...ACCEPTED],
    ],
    [
      "accepted after lines of the draft changed",
      [
        ...ELICITED,
        ...MODELED,
        ...REJECTED,
        ...REVISED,
        "extract_entity",
        "list_relations",
        "merge_model",
        ...ACCEPTED,
      ],
    ],
    [
      "accepted after the model alone was improved",
      [...ELICITED, ...MODELED, ...REJECTED, "extract_entity", "list_relations", "merge_model", ...ACCEPTED],
    ],
    [
      "accepted after a change that no element rests on",
      [...ELICITED, ...MODELED, ...REJECTED, ...REVISED, "merge_model", "draw_diagram", ...ACCEPTED],
    ],
    ["not accepted, with a specification that says so", [...ELICITED, ...MODELED, ...REJECTED, "write_srs"]],
    [
      "started from a person's draft",
      ["human_interaction", "derive_acceptance_criteria", "provide_draft", ...MODELED, ...ACCEPTED],
    ],
    [
      "started from a person's draft and model",
      ["human_interaction", "derive_acceptance_criteria", "provide_draft", "merge_model", "draw_diagram", ...ACCEPTED],
    ],
    [
      "asked once more before the improvement",
      [
        ...ELICITED,
        ...MODELED,
        ...REJECTED,
        "propose_question",
        "answer_question",
        "write_req_draft",
        ...MODELED,
        ...REJECTED,
      ],
    ],
    [
      "no interview",
      [
        "human_interaction",
        "speak_user_stories",
        "derive_acceptance_criteria",
        "write_req_draft",
        ...MODELED,
        ...ACCEPTED,
      ],
    ],
    [
      "criteria given",
      ["human_interaction", "human_interaction", "speak_user_stories", "write_req_draft", ...MODELED, ...ACCEPTED],
    ],
    [
      "criteria derived last",
      [
        "human_interaction",
        "speak_user_stories",
        "propose_question",
        "answer_question",
        "derive_acceptance_criteria",
        "write_req_draft",
        ...MODELED,
        ...ACCEPTED,
      ],
    ],
    ["the ablation", [...ELICITED, "extract_model", "merge_model", "draw_diagram", ...ACCEPTED]],
    ["no pair to decide", [...ELICITED, "extract_entity", "merge_model", "draw_diagram", ...ACCEPTED]],
    [
      "pairs asked again",
      [...ELICITED, "extract_entity", "extract_relation", "extract_relation", "merge_model", ...ACCEPTED],
    ],
    [
      "a person's word in between",
      [...ELICITED, "human_interaction", "write_req_draft", "human_interaction", ...MODELED, ...ACCEPTED],
    ],
    ["a run cut short", ELICITED.slice(0, 5)],
  ])("%s", (_name, actionNames) => {
    expect(checkTrace(trace(...actionNames))).toEqual([]);
  });
});

describe("these do not:", () => {
  test.each([
    ["a model before a draft", ["human_interaction", "speak_user_stories", "extract_entity"]],
    ["no idea at the start", ["speak_user_stories"]],
    ["a specification without a check", [...ELICITED, ...MODELED, "write_srs"]],
    ["a draft after the specification", [...ELICITED, ...MODELED, ...ACCEPTED, "write_req_draft"]],
    ["two specifications after one check", [...ELICITED, ...MODELED, ...ACCEPTED, "write_check_report"]],
    ["changes that nobody named", [...ELICITED, ...MODELED, ...REJECTED, "apply_changes"]],
    ["a second check without an improvement", [...ELICITED, ...MODELED, ...REJECTED, "check_requirement"]],
    ["answers without questions", ["human_interaction", "speak_user_stories", "answer_question"]],
    ["an action that does not exist", ["human_interaction", "dance"]],
    ["an action named like a property", ["human_interaction", "constructor"]],
  ])("%s", (_name, actionNames) => {
    const errors = checkTrace(trace(...actionNames));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`Artifact ${actionNames.length} (${actionNames.at(-1)})`);
  });
});
