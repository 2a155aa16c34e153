import { describe, expect, test } from "vitest";
import type { Artifact } from "#workflow-kit/artifact";
import { renderPrompt } from "#engine/calls/prompt";
import type { Action } from "#workflow-kit/action";
import {
  answerQuestion,
  checkRequirement,
  extractEntity,
  extractModel,
  extractRelation,
  listRelations,
  speakUserStories,
  writeReqDraft,
  writeSrs,
} from "#workflows/requirements/actions/index";
import {
  answerSchema,
  checkMessageSchema,
  draftChangesSchema,
  entitiesSchema,
  KINDS,
  questionSchema,
  relationListSchema,
  userStoriesSchema,
  type CheckMessage,
  type Contents,
  type Kind,
  type Questions,
} from "#workflows/requirements/artifacts";
import { METAMODELS } from "#workflows/requirements/rules/built-in-metamodels";
import { optionsSchema, stakeholdersOf } from "#workflows/requirements/contract";
import {
  answerQuestionInput,
  checkRequirementInput,
  extractEntityInput,
  listRelationsInput,
  questionsFor,
  speakUserStoriesInput,
  writeReqDraftInput,
  writeSrsInput,
} from "#workflows/requirements/inputs/index";
import { allowedPairs } from "#workflows/requirements/rules/pairs";
import { numberEntities, sameSmells } from "#workflows/requirements/rules/requirement-model";
import { newestWithin } from "#workflows/requirements/stages/elicitation";
import { Workspace } from "#workflows/requirements/rules/workspace";
import { IDEAS } from "../ideas";
import { fullInputs, roughIdea } from "#workflows/requirements/samples";

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
  step: `stage/${caused_by}#${made}`,
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

const found = fullInputs(IDEAS["a paragraph"]!);
const model = found.check_requirement.model;
const smells = [smell("draft", "R1"), smell("model", "Owner"), smell("both", "R2")];
const MADE = [
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
  artifact("check_message", "check_requirement", { review: "", earlier: [], smells, accepted: false }),
  artifact("error_report", "write_check_report", "# Report"),
];
/** The workspace after the first draft was not accepted. */
const workspace = new Workspace(MADE);
const options = optionsSchema.parse({});
const BEN = [{ name: "Ben", profile: "Closes the gate at ten." }];
const context = { input: { stakeholders: BEN }, options };
const ids = (requirements: string[]) => (requirements.length > 0 ? ` [${requirements.join(", ")}]` : "");

describe("the inputs of agents", () => {
  test("the Collector improves a draft with criteria, stories and interview", () => {
    const input = writeReqDraftInput(workspace.inbox({ name: "write_req_draft", role: "collector" }), BEN, options);
    expect(input.rejection).toEqual({ draft: "# Draft", report: "# Report" });
    expect(input.criteria[0]!.name).toBe("Brevity");
    expect(input.stories.map(({ stakeholder }) => stakeholder)).toEqual(["Ann (simulated)", "Ben (simulated)"]);
    expect(input.rounds[0]!.answers[0]!.answers[0]!.answer).toBe("Three.");
    const { user } = renderPrompt(writeReqDraft, input);
    for (const words of ["Brevity", "As Ben", "Three.", "# Draft", "# Report", "- Ben: Closes the gate at ten."])
      expect(user).toContain(words);
  });

  test("the Checker sees stories and interview in the first check", () => {
    const first = new Workspace(MADE.filter(({ kind }) => kind !== "check_message"));
    const input = checkRequirementInput(first.inbox({ name: "check_requirement", role: "checker" }), 1, context);
    expect([input.stories.length, input.rounds.length, input.earlier, input.changed]).toEqual([2, 1, null, []]);
    expect(renderPrompt(checkRequirement, input).user).toContain("- Ben: Closes the gate at ten.");
  });

  test("the Checker sees in a later check its findings, the changed lines, and of the interview only what is new", () => {
    const inputOf = (known: Workspace) =>
      checkRequirementInput(known.inbox({ name: "check_requirement", role: "checker" }), 2, context, "# Old\n# Draft");
    const input = inputOf(workspace.with(artifact("requirement_draft", "apply_changes", "# Draft\n- **R2** New.")));
    expect([input.stories, input.rounds]).toEqual([[], []]);
    expect(input.changed).toEqual(["R2"]);
    expect(input.earlier).toEqual(smells);
    const { user } = renderPrompt(checkRequirement, input);
    expect(user).toContain('<material name="changed lines of the draft">\n- R2\n</material>');
    expect(user).not.toContain("Three.");
    const sourced = "# Draft\n- **R1** Old. [idea]\n- **R2** New. [Ann]";
    const revised = renderPrompt(checkRequirement, { ...input, draft: sourced }).user;
    expect(revised).toContain("- **R1** Old.\n- **R2** New. [Ann]\n");
    const first = renderPrompt(checkRequirement, { ...input, draft: sourced, earlier: null, changed: [] }).user;
    expect(first).toContain(sourced);
    const again = inputOf(
      workspace.with(
        artifact("requirement_question", "propose_question", { questions: [question("Ann")] }, "review_2"),
        artifact(
          "stakeholders_answer",
          "answer_question",
          { answers: [{ question: "q1", answer: "Six." }] },
          "review_2/Ann",
        ),
      ),
    );
    expect(again.rounds.flatMap(({ answers }) => answers.flatMap((one) => one.answers))).toEqual([
      { question: "q1", answer: "Six." },
    ]);
  });

  test("the Modeler improves a model by the findings that concern it, and keeps names by their descriptions", () => {
    const { entity_types } = METAMODELS.use_case;
    const inbox = workspace.inbox({ name: "extract_entity", role: "modeler" });
    const changes = { removed: [], added: ["- **R1** New."] };
    const { improvement } = extractEntityInput(inbox, METAMODELS.use_case, entity_types, changes);
    expect(improvement!.findings).toEqual(["Owner: Wrong.", "R2: Wrong."]);
    const [first] = model.entities;
    expect(improvement!.previous[0]).toBe(`${first!.name} (actor)${ids(first!.requirements!)}: ${first!.description}`);
    expect(improvement!.changes).toEqual(changes);
  });

  test("the Modeler lists relations by the requirements on which entities rest, else by the whole draft", () => {
    const draft = "# Draft\n\n## Overview\nLong.\n- **R1** The owner lends a tool. [idea]\n- **Q1** It is fast. [Ann]";
    const known = workspace.with(
      artifact("requirement_draft", "apply_changes", draft),
      artifact("entities", "extract_entity", { entities: [], removed: [] }),
    );
    const entity = (name: string, requirements: string[]) => ({
      id: name,
      type: "actor",
      name,
      description: "",
      requirements,
    });
    const draftFor = (...entities: ReturnType<typeof entity>[]) =>
      listRelationsInput(known.inbox({ name: "list_relations", role: "modeler" }), METAMODELS.use_case, entities, {
        open: null,
        settled: [],
        dropped: [],
      }).draft;
    expect(draftFor(entity("Owner", []), entity("Lend tool", ["R1"]))).toBe("- **R1** The owner lends a tool.");
    expect(draftFor(entity("Mayor", []), entity("Lend tool", ["R1"]))).toBe(draft);
  });

  test("the Documenter reads the draft without sources: code fills them in", () => {
    const known = workspace.with(artifact("requirement_draft", "apply_changes", "- **R1** Lend (assumed, A1) [Ann]"));
    const input = writeSrsInput(known.inbox({ name: "write_srs", role: "documenter" }), options);
    const { user } = renderPrompt(writeSrs, input);
    expect(user).toContain("- **R1** Lend (assumed, A1)\n");
  });

  test("without changes the Modeler reads the draft as if for the first time", () => {
    const inbox = workspace.inbox({ name: "extract_entity", role: "modeler" });
    expect(extractEntityInput(inbox, METAMODELS.use_case, [], null).improvement).toBeNull();
  });

  test("a stakeholder answers its questions, with its own stories", () => {
    const inbox = workspace.inbox({ name: "answer_question", role: "stakeholder" });
    const input = answerQuestionInput(inbox, "round_1", ben, [ann, ben]);
    expect(input.stories).toEqual(["As Ben"]);
    expect(input.questions.map(({ id }) => id)).toEqual(["q2"]);
    expect(inbox.inputs.map(({ subject }) => subject)).not.toContain("Ann");
  });

  test("a stakeholder reads in the second round what it answered in the first, and nobody else's answers", () => {
    const second = workspace.with(
      artifact("requirement_question", "propose_question", { questions: [question("all", "q1")] }, "round_2"),
    );
    const inputOf = (who: typeof ann) =>
      answerQuestionInput(second.inbox({ name: "answer_question", role: "stakeholder" }), "round_2", who, [ann, ben]);
    expect(inputOf(ann).answered).toEqual([{ question: "How many, Ann?", answer: "Three." }]);
    expect(inputOf(ben).answered).toEqual([]);
    expect(renderPrompt(answerQuestion, inputOf(ann)).user).toContain("How many, Ann?\nYou: Three.");
  });

  test("the default stakeholder speaks for every kind of user, one of the request for itself", () => {
    const [alice] = stakeholdersOf({ idea: "Tools" });
    const inboxOf = (name: string) => workspace.inbox({ name, role: "stakeholder" });
    const promptsOf = (who: typeof ann) => [
      renderPrompt(speakUserStories, speakUserStoriesInput(inboxOf("speak_user_stories"), who, options)).user,
      renderPrompt(answerQuestion, answerQuestionInput(inboxOf("answer_question"), "round_1", who, [who])).user,
    ];
    for (const user of promptsOf(alice!)) expect(user).toContain("stands for everybody who uses or runs the system");
    for (const user of promptsOf(ann)) expect(user).not.toContain("stands for everybody");
  });

  test("whoever writes knows which stakeholders were simulated, and which answers a person gave", () => {
    const person = artifact(
      "stakeholders_answer",
      "answer_question",
      { answers: [{ question: "q2", answer: "Four." }] },
      "round_1/human",
    );
    const heard = workspace.with(person);
    const draft = writeReqDraftInput(heard.inbox({ name: "write_req_draft", role: "collector" }), [], options);
    expect(draft.rounds[0]!.answers.map(({ from }) => from)).toEqual(["Ann (simulated)", "a person"]);
    const srs = writeSrsInput(heard.inbox({ name: "write_srs", role: "documenter" }), options);
    expect(srs.sources).toEqual(["Ann (simulated)", "Ben (simulated)", "a person"]);
    const prompt = renderPrompt(writeSrs, srs);
    expect(prompt.user).toContain("were played by a language model. Say so");
    expect(renderPrompt(writeSrs, { ...srs, sources: ["a person"] }).user).not.toContain("language model. Say so");
  });

  test("the Modeler is given idea and background, whose words count", () => {
    for (const action of [extractEntity, listRelations, extractRelation, extractModel]) {
      const { user } = renderPrompt(action as Action, found[action.name as keyof typeof found]);
      expect(user).toContain(IDEAS["a paragraph"]);
      expect(user).toContain("It has to be ready by spring.");
    }
  });

  test("the Checker is given what the model can hold", () => {
    const { system, user } = renderPrompt(checkRequirement, found.check_requirement);
    expect(system).toContain("anything that the model cannot hold");
    const named = found.check_requirement.model.entities.find(({ requirements }) => requirements!.length > 0)!;
    expect(user).toContain(`- ${named.name} (${named.type}) [${named.requirements![0]!}`);
    for (const { name, meaning } of METAMODELS.use_case.entity_types) expect(user).toContain(`- ${name}: ${meaning}`);
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
  test("entities of pairs are in the order of their numbers, with descriptions", () => {
    const names = Array.from({ length: 6 }, (_, index) => ({ name: `Name ${index}`, description: "Does it." }));
    const entities = numberEntities(
      ["actor", "use_case"].flatMap((type) => names.map((name) => ({ requirements: [], type, ...name }))),
    );
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
  const lookBack = (put_right: boolean) => input.earlier.map(({ id }) => ({ id, put_right }));
  const grave = { ...smell("draft", "R1"), id: "s1" };
  const errorsOf = (message: Partial<CheckMessage>, change: Partial<typeof input> = {}) =>
    checkRequirement.check!(
      { review: "", earlier: lookBack(true), smells: [], accepted: true, ...message },
      { ...input, ...change },
    );

  test("must not accept while an earlier finding was not repaired", () => {
    expect(errorsOf({ earlier: lookBack(false) })).toEqual([expect.stringContaining("s1, s2 of the check before")]);
    expect(errorsOf({ earlier: lookBack(false), smells: [grave], accepted: false })).toEqual([]);
  });

  test("must look back at every earlier finding", () => {
    expect(errorsOf({ earlier: lookBack(true).slice(1) })).toEqual([
      expect.stringContaining("whether s1 was put right"),
    ]);
    expect(errorsOf({ earlier: [] })).toHaveLength(1);
    expect(errorsOf({ earlier: [] }, { earlier: null } as never)).toEqual([]);
  });

  test("gives each smell an id of its own", () => {
    expect(errorsOf({ smells: [grave, { ...grave, location: "R2" }], accepted: false })).toEqual([
      expect.stringContaining('"s1" stands more than once'),
    ]);
  });

  test.each([
    ["none", "minor", false],
    ["none", "critical", false],
    ["minor", "minor", true],
    ["minor", "major", false],
    ["major", "major", true],
    ["major", "critical", false],
  ] as const)("at accept_at %s accepts with a %s smell: %s", (accept_at, severity, accepted) => {
    const change = { accept_at } as never;
    const only = [{ ...grave, severity }];
    expect(errorsOf({ smells: only, accepted }, change)).toEqual([]);
    expect(errorsOf({ smells: only, accepted: !accepted }, change)).toHaveLength(1);
  });

  test.each(["none", "minor", "major"] as const)("is told when to accept (%s)", (accept_at) => {
    const { system } = renderPrompt(checkRequirement, { ...input, accept_at });
    const rules = {
      none: "`smells` is empty",
      minor: "no smell is `major` or `critical`",
      major: "no smell is `critical`",
    };
    expect(system).toContain(`It is true exactly when ${rules[accept_at]}`);
  });

  test("of an older run, without review and reasons, is still read", () => {
    const old = {
      earlier: [{ id: "s1", put_right: false }],
      smells: [grave],
      accepted: false,
    } as unknown as CheckMessage;
    expect(sameSmells(old, old, () => true)).toBe(true);
  });
});

test("schemas have reasons before verdicts", () => {
  const order = (schema: { shape: object }) => Object.keys(schema.shape);
  const { shape } = checkMessageSchema;
  expect(order(checkMessageSchema)).toEqual(["review", "earlier", "smells", "accepted"]);
  expect(order(shape.earlier.element)).toEqual(["id", "put_right"]);
  expect(order(shape.smells.element).indexOf("explanation")).toBeLessThan(order(shape.smells.element).indexOf("kind"));
  expect(order(relationListSchema.shape.relations.element)[0]).toBe("because");
  expect(order(draftChangesSchema.shape.changes.element)[0]).toBe("why");
  expect(order(entitiesSchema.shape.entities.element)[0]).toBe("requirements");
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
