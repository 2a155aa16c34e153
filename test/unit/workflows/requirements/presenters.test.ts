import { describe, expect, test } from "vitest";
import type { EarlierArtifact } from "#workflow-kit/presentation";
import { numberEntities } from "#workflows/requirements/rules/requirement-model";
import { PRESENTERS } from "#workflows/requirements/reports/presenters";

const listed = (type: string, name: string) => ({ requirements: [], type, name, description: "" });
const earlier = (kind: string, content: unknown, iteration = 1, subject = "actor, use_case"): EarlierArtifact => ({
  kind,
  subject,
  iteration,
  content,
});
const show = (kind: keyof typeof PRESENTERS, content: unknown, before: EarlierArtifact[], options: object = {}) =>
  PRESENTERS[kind]!.present(content, {
    input: {},
    options: { model_kind: "use_case", profile: "default", relation_calls: "listed", ...options },
    subject: "",
    earlier: before,
  });
const found = [listed("actor", "Clerk"), listed("use_case", "Print badge")];
const relation = (from: string, to: string) => ({ because: "R1", type: "association", from, to });

describe("listed relations are shown by the names of entities", () => {
  const between = (before: EarlierArtifact[], to: string, options?: object) => {
    const { content } = show("relations", { relations: [relation("e1", to)] }, before, options);
    return (content as any).related[0].between;
  };

  test("of the first iteration", () => {
    expect(between([earlier("entities", { entities: found, removed: [] })], "e2")).toEqual([
      "Clerk → Print badge (R1)",
    ]);
  });

  test("of an improvement, whose entities are changes of the earlier model", () => {
    const before = [
      earlier("entities", { entities: found, removed: [] }),
      earlier("requirement_model", { entities: numberEntities(found), relations: [] }, 1, ""),
      earlier("entities", { entities: [listed("use_case", "Void badge")], removed: [] }, 2),
    ];
    expect(between(before, "e3")).toEqual(["Clerk → Void badge (R1)"]);
  });

  test("of the paper's profile, whose calls list all entities of one type in each iteration", () => {
    const call = (type: string, iteration: number, ...names: string[]) =>
      earlier("entities", { entities: names.map((name) => listed(type, name)), removed: [] }, iteration, type);
    const before = [
      earlier("requirement_model", { entities: numberEntities(found), relations: [] }, 1, ""),
      call("use_case", 2, "Void badge"),
      call("actor", 2, "Guard"),
    ];
    expect(between(before, "e2", { profile: "paper" })).toEqual(["Guard → Void badge (R1)"]);
  });
});

test("decisions on pairs are shown by the names of entities", () => {
  const decisions = [{ pair: "p1", relation: "association", from: "e1" }];
  const { content } = show("relations", { decisions }, [earlier("entities", { entities: found, removed: [] })]);
  expect((content as any).related[0].between).toEqual(["Clerk → Print badge"]);
});

test("changes of a draft are shown with the lines that they change", () => {
  const changes = [{ why: "s1", line: 2, change: "replace", text: "- **R1** New." }];
  const { content } = show("draft_changes", { changes }, [earlier("requirement_draft", "# Draft\n- **R1** Old.")]);
  expect(content).toEqual({
    changes: [{ why: "s1", change: "replace", text: "- **R1** New.", line: "- **R1** Old." }],
  });
});
