import { describe, expect, test } from "vitest";
import type { Artifact } from "#workflow-kit/artifact";
import { KINDS, type Kind, type Smell } from "#workflows/requirements/artifacts";
import { modelBasis } from "#workflows/requirements/rules/model-basis";
import { Workspace } from "#workflows/requirements/rules/workspace";

const BEFORE = "- **R1** Print a badge. [idea]\n- **R2** Void a badge. [idea]\n- **A1** Badges get lost.";
const entity = (id: string, name: string, ...requirements: string[]) => ({
  id,
  type: "use_case",
  name,
  description: "",
  requirements,
});
const ENTITIES = [entity("e1", "Clerk", "R1"), entity("e2", "Print badge", "R1"), entity("e3", "Void badge", "R2")];

const smell = (concerns: Smell["concerns"], location: string): Smell => ({
  id: "s1",
  location,
  explanation: "Wrong.",
  kind: "other",
  concerns,
  severity: "major",
});

function basisOf(draft: string, ...smells: Smell[]) {
  const artifact = (kind: Kind, content: unknown) =>
    ({ kind, content, subject: "", send_to: KINDS[kind].send_to }) as unknown as Artifact;
  const check = { review: "", earlier: [], smells, accepted: false };
  return modelBasis(new Workspace([artifact("requirement_draft", draft), artifact("check_message", check)]), BEFORE);
}
const open = (basis: ReturnType<typeof basisOf>, ...changed: typeof ENTITIES) =>
  basis.concerned(ENTITIES, changed).map(({ id }) => id);

describe("the basis of a model's decisions", () => {
  test("is unchanged when the draft is, or only its assumptions changed", () => {
    expect(basisOf(BEFORE, smell("draft", "R1")).isChanged).toBe(false);
    expect(basisOf(BEFORE.replace("get lost", "break")).isChanged).toBe(false);
    expect(basisOf(BEFORE.replace("Void a badge. [idea]", "Void a badge. (assumed, A1) [Ann]")).isChanged).toBe(false);
  });

  test("changes with a requirement, or with a finding about the model", () => {
    expect(basisOf(BEFORE.replace("Void", "Revoke")).isChanged).toBe(true);
    expect(basisOf(BEFORE, smell("both", "Clerk")).isChanged).toBe(true);
  });
});

describe("relations are decided anew", () => {
  test("of entities whose requirements changed", () => {
    expect(open(basisOf(BEFORE.replace("Void", "Revoke")))).toEqual(["e3"]);
  });

  test("of the entities closest to a requirement, not of an actor that takes part in many functions", () => {
    const actor = entity("e1", "Clerk", "R1", "R2");
    const opened = basisOf(BEFORE.replace("Void", "Revoke")).concerned([actor, ...ENTITIES.slice(1)], []);
    expect(opened.map(({ id }) => id)).toEqual(["e3"]);
    const alone = basisOf(BEFORE.replace("Void", "Revoke")).concerned([actor], []);
    expect(alone.map(({ id }) => id)).toEqual(["e1"]);
  });

  test("of new and changed entities", () => {
    expect(open(basisOf(BEFORE), ENTITIES[1]!)).toEqual(["e2"]);
  });

  test("of entities that a finding names; of all when it names none", () => {
    expect(open(basisOf(BEFORE, smell("model", "clerk.")))).toEqual(["e1"]);
    expect(open(basisOf(BEFORE, smell("model", "the diagram")))).toEqual(["e1", "e2", "e3"]);
  });
});
