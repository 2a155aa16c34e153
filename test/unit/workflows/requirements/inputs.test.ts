import { describe, expect, test } from "vitest";
import type { Artifact } from "#workflow-kit/artifact";
import { renderPrompt } from "#engine/calls/prompt";
import { checkRequirement, extractRelation, writeReqDraft } from "#workflows/requirements/actions/index";
import {
  answerSchema,
  KINDS,
  questionSchema,
  userStoriesSchema,
  type CheckMessage,
  type Contents,
  type Kind,
  type Questions,
} from "#workflows/requirements/artifacts";
import { METAMODELS } from "#workflows/requirements/rules/built-in-metamodels";
import { optionsSchema } from "#workflows/requirements/contract";
import {
  answerQuestionInput,
  checkRequirementInput,
  extractEntityInput,
  questionsFor,
  SIMULATED,
  writeReqDraftInput,
} from "#workflows/requirements/inputs";
import { allowedPairs } from "#workflows/requirements/rules/pairs";
import { numberEntities } from "#workflows/requirements/rules/requirement-model";
import { newestWithin } from "#workflows/requirements/stages/elicitation";
import { Workspace } from "#workflows/requirements/rules/workspace";
import { IDEAS, rehearsedInputs, roughIdea } from "./rehearsed";

let made = 0;
const artifact = <K extends Kind>(kind: K, caused_by: string, content: Contents[K], subject = ""): Artifact => ({
  content,
  role: "",
  caused_by,
  sent_from: subject.split("/").at(-1)!,
  send_to: KINDS[kind].send_to,
  id: `art_${++made}`,
  kind,
  subject,
  iteration: 1,
  act: `stage/${caused_by}#${made}`,
});

const ann = { name: "Ann", profile: "Lends." };
const ben = { name: "Ben", profile: "Borrows." };
const question = (to: string, id = "q1") => ({ id, topic: "limits", to, question: `How many, ${to}?` });
const smell = (concerns: "draft" | "model" | "both", location: string): CheckMessage["smells"][number] => ({
  id: location,
  kind: "other",
  location,
  concerns,
  explanation: "Wrong.",
  severity: "major",
});

const found = rehearsedInputs(IDEAS["a paragraph"]!);
const model = found.check_requirement.model;
const smells = [smell("draft", "R1"), smell("model", "Owner"), smell("both", "R2")];
/** The workspace after the first draft was not accepted. */
const workspace = new Workspace([
  artifact("rough_idea", "human_interaction", roughIdea("Tools")),
  artifact("acceptance_criteria", "derive_acceptance_criteria", { criteria: [{ name: "Brevity", description: "…" }] }),
  artifact("user_stories", "speak_user_stories", { stories: ["As Ann"] }, "Ann"),
  artifact("user_stories", "speak_user_stories", { stories: ["As Ben"] }, "Ben"),
  artifact(
    "requirement_question",
    "propose_question",
    { questions: [question("Ann"), question("all", "q2")] },
    "round_1",
  ),
  artifact(
    "stakeholders_answer",
    "answer_question",
    { answers: [{ question: "q1", answer: "Three." }] },
    "round_1/Ann",
  ),
  artifact("requirement_draft", "write_req_draft", "# Draft"),
  artifact("requirement_model", "merge_model", model),
  artifact("check_message", "check_requirement", { earlier: [], smells, accepted: false }),
  artifact("error_report", "write_check_report", "# Report"),
]);
const options = optionsSchema.parse({});

describe("the inputs of agents", () => {
  test("the Collector improves a draft with criteria, stories and interview", () => {
    const input = writeReqDraftInput(workspace.inbox({ name: "write_req_draft", role: "collector" }), options);
    expect(input.rejection).toEqual({ draft: "# Draft", report: "# Report" });
    expect(input.criteria[0]!.name).toBe("Brevity");
    expect(input.stories.map(({ stakeholder }) => stakeholder)).toEqual(["Ann", "Ben"]);
    expect(input.rounds[0]!.answers[0]!.answers[0]!.answer).toBe("Three.");
    const { user } = renderPrompt(writeReqDraft, input);
    for (const words of ["Brevity", "As Ben", "Three.", "# Draft", "# Report"]) expect(user).toContain(words);
  });

  test("the Checker sees stories and interview, and its earlier findings", () => {
    const input = checkRequirementInput(workspace.inbox({ name: "check_requirement", role: "checker" }), 2);
    expect(input.earlier).toEqual(smells);
    expect(input.stories).toHaveLength(2);
    expect(input.rounds).toHaveLength(1);
  });

  test("the Modeler improves a model by the findings that concern it, and keeps names by their descriptions", () => {
    const [type] = METAMODELS.use_case.entity_types;
    const inbox = workspace.inbox({ name: "extract_entity", role: "modeler" });
    const { improvement } = extractEntityInput(inbox, METAMODELS.use_case, type!);
    expect(improvement!.findings).toEqual(["Owner: Wrong.", "R2: Wrong."]);
    const actor = model.entities.find((one) => one.type === "actor");
    expect(improvement!.previous[0]).toBe(`${actor!.name}: ${actor!.description}`);
  });

  test("a stakeholder answers its questions, with its own stories", () => {
    const inbox = workspace.inbox({ name: "answer_question", role: "stakeholder" });
    const input = answerQuestionInput(inbox, ben, [ann, ben]);
    expect(input.stories).toEqual(["As Ben"]);
    expect(input.questions.map(({ id }) => id)).toEqual(["q2"]);
    expect(inbox.inputs.map(({ subject }) => subject)).not.toContain("Ann");
  });
});

test.each([
  ["a stakeholder, however it is written", " ann ", [1, 0]],
  ["all", "all", [1, 1]],
  ["somebody whom nobody knows", "the mayor", [1, 1]],
])("a question to %s goes to those", (_name, to, counts) => {
  const asked: Questions = { questions: [question(to)] };
  expect([ann, ben].map((one) => questionsFor(one, asked, [ann, ben]).length)).toEqual(counts);
});

describe("prompts", () => {
  test("a draft's prompt mentions answers in place of a person only when there are some", () => {
    const input = found.write_req_draft;
    expect(renderPrompt(writeReqDraft, input).user).not.toContain("in place of a person");
    const [round] = input.rounds;
    const stoodIn = { ...round!, answers: round!.answers.map((one) => ({ ...one, from: one.from + SIMULATED })) };
    expect(renderPrompt(writeReqDraft, { ...input, rounds: [stoodIn] }).user).toContain(
      `marked "${SIMULATED.trim()}" were given in place of a person`,
    );
  });

  test("entities of pairs are in the order of their numbers, with descriptions", () => {
    const names = Array.from({ length: 6 }, (_, index) => ({ name: `Name ${index}`, description: "Does it." }));
    const entities = numberEntities(["actor", "use_case"].map((type) => ({ type, entities: names })));
    const pairs = allowedPairs(entities, METAMODELS.use_case).toReversed();
    const { user } = renderPrompt(extractRelation, { ...found.extract_relation, pairs });
    const listed = /<material name="entities">\n([\s\S]*?)\n<\/material>/.exec(user)![1]!.split("\n");
    const numbers = listed.map((row) => Number(/^e(\d+) /.exec(row)![1]));
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    for (const row of listed) expect(row).toMatch(/^e\d+ .+ \((actor|use_case)\): .+/);
    expect(user).toContain("`include` from either");
  });
});

describe("a check", () => {
  const input = found.check_requirement;
  const earlier = [{ id: "s1", put_right: false }];

  test("must not accept while an earlier finding was not repaired", () => {
    const faults = checkRequirement.check!({ earlier, smells: [], accepted: true }, input);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain("s1");
    expect(checkRequirement.check!({ earlier, smells, accepted: false }, input)).toEqual([]);
  });

  test("has no earlier findings the first time", () => {
    expect(checkRequirement.check!({ earlier, smells: [], accepted: true }, { ...input, earlier: null })).toEqual([]);
  });
});

describe("the result of elicitation", () => {
  const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

  test("stays well under the 900 KB of a stage's result at its largest", () => {
    const stories = { stories: Array.from({ length: 30 }, () => "s".repeat(500)) };
    const questions = Array.from({ length: 5 }, () => ({ ...question("t".repeat(100)), question: "q".repeat(500) }));
    const answers = { answers: Array.from({ length: 5 }, () => ({ question: "q1", answer: "a".repeat(800) })) };
    for (const [schema, value] of [
      [userStoriesSchema, stories],
      [questionSchema, { questions }],
      [answerSchema, answers],
    ] as const) {
      expect(schema.safeParse(value).success).toBe(true);
    }
    expect(userStoriesSchema.safeParse({ stories: ["s".repeat(501)] }).success).toBe(false);
    expect(answerSchema.safeParse({ answers: [{ question: "q1", answer: "a".repeat(801) }] }).success).toBe(false);
    const all = [
      ...Array.from({ length: 8 }, () => artifact("user_stories", "speak_user_stories", stories)),
      ...Array.from({ length: 10 }, () => artifact("requirement_question", "propose_question", { questions })),
      ...Array.from({ length: 80 }, () => artifact("stakeholders_answer", "answer_question", answers)),
    ];
    expect(size(all)).toBeLessThan(600_000);
    expect(newestWithin(400_000, all.slice(18))).toHaveLength(80);
  });

  test("omits the oldest answers when a person wrote more than fits", () => {
    const long = Array.from({ length: 4 }, (_, index) =>
      artifact(
        "stakeholders_answer",
        "answer_question",
        { answers: [{ question: "q1", answer: "ä".repeat(1000) }] },
        `${index}`,
      ),
    );
    expect(newestWithin(5000, long)).toEqual(long.slice(2));
    expect(newestWithin(10, long)).toEqual([]);
  });
});
