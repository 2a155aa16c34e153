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
  step: `stage/${caused_by}#${made}`,
  ...more,
});

const collector = { name: "write_req_draft", role: "collector" };
const idea = artifact("rough_idea", "human_interaction");

describe("an inbox", () => {
  test("has the artifacts addressed to its role, and no others", () => {
    const model = artifact("requirement_model", "merge_model");
    const stories = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const inbox = new Workspace([idea, model, stories]).inbox(collector);
    expect(inbox.take("rough_idea")).toBe(idea);
    expect(inbox.takeAll("user_stories")).toEqual([stories]);
    expect(inbox.takeIfAny("requirement_model")).toBeUndefined();
    expect(() => inbox.take("requirement_model")).toThrow("requirement_model");
  });

  test("gives the newest artifact of each subject, in the order of their first versions", () => {
    const ann = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const ben = artifact("user_stories", "speak_user_stories", { subject: "Ben" });
    const annAgain = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    expect(new Workspace([idea, ann, ben, annAgain]).inbox(collector).takeAll("user_stories")).toEqual([annAgain, ben]);
  });

  test("gives the artifact of one subject, and takes no other", () => {
    const ann = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const ben = artifact("user_stories", "speak_user_stories", { subject: "Ben" });
    const inbox = new Workspace([idea, ann, ben]).inbox(collector);
    expect(inbox.take("user_stories", "Ann")).toBe(ann);
    expect(inbox.inputs).toEqual([ann]);
    expect(inbox.takeIfAny("user_stories", "Cleo")).toBeUndefined();
  });

  test("records the taken artifacts as the inputs of the action", () => {
    const ann = artifact("user_stories", "speak_user_stories", { subject: "Ann" });
    const ben = artifact("user_stories", "speak_user_stories", { subject: "Ben" });
    const inbox = new Workspace([idea, ann, ben]).inbox(collector);
    expect(inbox.inputs).toEqual([]);
    inbox.take("rough_idea");
    inbox.takeAll("user_stories");
    inbox.take("rough_idea");
    expect(inbox.inputs).toEqual([idea, ann, ben]);
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

  test("treats a person's edit as the artifact that it replaces", () => {
    const draft = artifact("requirement_draft", "write_req_draft");
    const edit = artifact("requirement_draft", "human_interaction", {
      role: "human",
      step: "elicitation/write_req_draft#1~review1/edit",
    });
    const inbox = new Workspace([idea, edit]).inbox({ name: "extract_entity", role: "modeler" });
    expect(inbox.take("requirement_draft")).toBe(edit);
    expect(
      new Workspace([idea, draft, edit]).inbox({ name: "extract_entity", role: "modeler" }).take("requirement_draft"),
    ).toBe(edit);
  });
});

describe("a workspace", () => {
  test("is not changed by additions to a copy", () => {
    const workspace = new Workspace([idea]);
    const larger = workspace.with(artifact("user_stories", "speak_user_stories"));
    expect(workspace.newest(["user_stories"])).toEqual([]);
    expect(larger.newest(["user_stories"])).toHaveLength(1);
  });

  test("gives the newest artifact of each given kind, whatever its addressees", () => {
    const first = artifact("requirement_draft", "write_req_draft");
    const second = artifact("requirement_draft", "write_req_draft");
    expect(new Workspace([idea, first, second]).newest(["requirement_draft", "rough_idea"])).toEqual([idea, second]);
  });
});
