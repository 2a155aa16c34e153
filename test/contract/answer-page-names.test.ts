/** At each review step the page shows names where the artifact has ids: of entities, ideas, choices, questions. */
import { expect, it } from "vitest";
import { setUpRuns } from "../support/runs";
import { getPage, textOf } from "./page";
import { callbackPath } from "./questions";

const { client, contentOf, openInteraction, start } = setUpRuns();

/** The text of the page at the first review step of a kind, and that artifact's content. */
async function reviewStep(workflow: string, kind: string, input: object, options: object = {}) {
  const run = await start({ workflow, input, options: { reviews: [kind], ...options } });
  const { id, artifacts } = await openInteraction(run);
  const { body } = await getPage(await callbackPath(client, id));
  return { html: body, page: textOf(body), content: await contentOf(run, artifacts[0]) };
}

const IDEA = { idea: "A library that lends tools to neighbours" };
const TOPIC = { topic: "Prompting methods that tell how sure a model is." };
const FEW = { preset: "baseline", ideas: 3, trials: 1, proposals: 1, paper_source: "none" };
const QUESTION = {
  question: "Is a signed offer binding?",
  choices: [
    { label: "A", text: "Yes, from the signature." },
    { label: "B", text: "No, not before acceptance." },
  ],
};

it.each(["listed", "batched"])(
  "relations name the entities, and say what the relation means (%s)",
  async (relation_calls) => {
    const { page } = await reviewStep("requirements", "relations", IDEA, { qa_rounds: 0, relation_calls });
    expect(page).toMatch(/Relation association: The actor .*?\. Between \S.*? → \S/);
    expect(page.slice(0, page.indexOf("Your answer"))).not.toMatch(/\b[ep]\d+\b/);
  },
);

it("a person's choice among ideas is labelled with their names", async () => {
  const { html, page, content } = await reviewStep("ideation", "idea_set", TOPIC, FEW);
  for (const { id, name } of content.ideas) expect(page).toContain(`${id}: ${name}`);
  expect(html).toMatch(/name="additions\[drop\]" value="i1"\/?>\s*<span>i1: \w/);
});

it("kept and dropped ideas are shown by name, with the reason", async () => {
  const { page } = await reviewStep("ideation", "kept_ideas", TOPIC, { ...FEW, dedup_threshold: 0.1 });
  expect(page).toMatch(/Kept i1: \w/);
  expect(page).toMatch(/Idea i\d+: \w.* Because it is too similar to i\d+: \w.* \(similarity \d+ %\)/);
});

it("a ranking is shown by name", async () => {
  const { page } = await reviewStep("ideation", "ranking", TOPIC, { ...FEW, expand: "none" });
  expect(page).toMatch(/Place 1\. i\d+: \w/);
});

it("a verdict on an idea names it", async () => {
  const { page } = await reviewStep("ideation", "filter_verdict", TOPIC, { ...FEW, filters: ["feasibility"] });
  expect(page).toMatch(/Filter verdict: feasibility of i\d: \w/);
});

it("probabilities of choices are beside what the choices say", async () => {
  const { page } = await reviewStep("debate", "option_ranking", QUESTION, { solvers: 0 });
  expect(page).toContain("Option A: Yes, from the signature.");
});

it("a verdict names the choice, and the page the question", async () => {
  const { page } = await reviewStep("debate", "verdict", QUESTION);
  expect(page).toMatch(/Answer [AB]: (?:Yes, from|No, not before)/);
  expect(page).toContain("Is a signed offer binding? ");
});

it("a brief names the statute behind a citation", async () => {
  const evidence = [
    { source: "Civil Code, art. 427", text: "An offer binds the person who makes it, unless its terms say otherwise." },
  ];
  const { page, content } = await reviewStep("debate", "brief", { ...QUESTION, evidence });
  expect(content.citations.length).toBeGreaterThan(0);
  expect(page).toContain("S1: Civil Code, art. 427");
});

it("answers that were inferred are beside their questions", async () => {
  const { page, content } = await reviewStep(
    "waterfall",
    "refined_requirement",
    { requirement: "Book something nice." },
    { clarification: "infer" },
  );
  expect(content.inferred_answers.length).toBeGreaterThan(0);
  expect(page).toMatch(/Question [A-Z][^?]*\? Answer/);
});
