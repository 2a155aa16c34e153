import { describe, expect, test } from "vitest";
import type { Artifact } from "#workflow-kit/artifact";
import { KINDS, type Kind } from "#workflows/requirements/artifacts";
import { Workspace } from "#workflows/requirements/rules/workspace";

let made = 0;
const artifact = (kind: Kind, caused_by: string, more: Partial<Artifact> = {}): Artifact => ({
  content: `${kind} ${++made}`,
  role: "collector",
  caused_by,
  sent_from: "collector",
  send_to: KINDS[kind].send_to,
  id: `art_${made}`,
  kind,
  subject: "",
  iteration: 1,
  act: `stage/${caused_by}#${made}`,
  ...more,
});

const collector = { name: "write_req_draft", role: "collector" };
const idea = artifact("rough_idea", "human_interaction");

describe("a desk", () => {
  test("holds what is addressed to its role, and nothing else", () => {
    const model = artifact("requirement_model", "merge_model");
    const stories = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const desk = new Workspace([idea, model, stories]).inbox(collector);
    expect(desk.one("rough_idea")).toBe(idea);
    expect(desk.all("user_stories")).toEqual([stories]);
    expect(desk.maybe("requirement_model")).toBeUndefined();
    expect(() => desk.one("requirement_model")).toThrow("requirement_model");
  });

  test("gives the newest artifact of each subject, in the order of their first versions", () => {
    const ann = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const ben = artifact("user_stories", "speak_user_stories", { subject: "Ben" });
    const annAgain = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    expect(new Workspace([idea, ann, ben, annAgain]).inbox(collector).all("user_stories")).toEqual([annAgain, ben]);
  });

  test("gives one subject's alone, and takes no other", () => {
    const ann = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const ben = artifact("user_stories", "speak_user_stories", { subject: "Ben" });
    const desk = new Workspace([idea, ann, ben]).inbox(collector);
    expect(desk.one("user_stories", "Ann")).toBe(ann);
    expect(desk.inputs).toEqual([ann]);
    expect(desk.maybe("user_stories", "Cleo")).toBeUndefined();
  });

  test("remembers what was taken as the inputs of the action", () => {
    const ann = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const ben = artifact("user_stories", "speak_user_stories", { subject: "Ben" });
    const desk = new Workspace([idea, ann, ben]).inbox(collector);
    expect(desk.inputs).toEqual([]);
    desk.one("rough_idea");
    desk.all("user_stories");
    desk.one("rough_idea");
    expect(desk.inputs).toEqual([idea, ann, ben]);
  });

  test("is refused to an action that nothing leads to", () => {
    expect(() => new Workspace([idea]).inbox({ name: "extract_entity", role: "modeler" })).toThrow(
      "leads to extract_entity",
    );
    const report = artifact("error_report", "write_check_report");
    expect(() => new Workspace([idea, report]).inbox({ name: "check_requirement", role: "checker" })).toThrow(
      "leads to check_requirement",
    );
  });

  test("takes a person's edit for the artifact that it replaces", () => {
    const draft = artifact("requirement_draft", "write_req_draft");
    const edit = artifact("requirement_draft", "human_interaction", {
      role: "human",
      act: "elicitation/write_req_draft#1~review1/edit",
    });
    const desk = new Workspace([idea, edit]).inbox({ name: "extract_entity", role: "modeler" });
    expect(desk.one("requirement_draft")).toBe(edit);
    expect(
      new Workspace([idea, draft, edit]).inbox({ name: "extract_entity", role: "modeler" }).one("requirement_draft"),
    ).toBe(edit);
  });
});

describe("a workspace", () => {
  test("is not changed by what is added to a copy", () => {
    const one = new Workspace([idea]);
    const other = one.with(artifact("user_stories", "speak_user_stories"));
    expect(one.keep(["user_stories"])).toEqual([]);
    expect(other.keep(["user_stories"])).toHaveLength(1);
  });

  test("keeps the newest of the kinds asked for, whoever they are addressed to", () => {
    const first = artifact("requirement_draft", "write_req_draft");
    const second = artifact("requirement_draft", "write_req_draft");
    expect(new Workspace([idea, first, second]).keep(["requirement_draft", "rough_idea"])).toEqual([idea, second]);
  });
});
