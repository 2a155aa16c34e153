/** What the prompts of ideation say: any field of research, the same limits for all, the paper's substance under its profile. */
import { describe, expect, test } from "vitest";
import { renderPrompt } from "#engine/calls/prompt";
import { type Action, inProfile } from "#workflow-kit/action";
import {
  actions,
  checkProposal,
  critiqueIdeas,
  expandIdea,
  judgePair,
  proposeIdeas,
  reviseIdeas,
} from "#workflows/ideation/actions/index";
import { examplesOf, PAPER_EXAMPLES } from "#workflows/ideation/actions/examples";
import {
  CATEGORIES,
  critiqueSchema,
  judgmentSchema,
  paperScoresSchema,
  proposalSchema,
} from "#workflows/ideation/artifacts/index";
import { optionsSchema } from "#workflows/ideation/contract";
import { SECTION_LIMITS, WORD_LIMITS } from "#workflows/ideation/rules/limits";
import { IDEAS } from "../ideas";
import { bareInputs, fullInputs, TOPIC } from "#workflows/ideation/samples";

const BATTERIES = "cheaper ways to find out how a battery ages";
const full = fullInputs(BATTERIES) as Record<string, any>;
const textOf = (action: Action, input: unknown) => {
  const { system, user } = renderPrompt(action, input);
  return `${system}\n${user}`;
};
const words = (text: string) => text.split(/\s+/u).length;

describe("research that is not on prompting", () => {
  const input = (name: string) => ({ ...full[name], method: null, examples: examplesOf(BATTERIES), verdicts: [] });
  const spoken = [proposeIdeas, critiqueIdeas, reviseIdeas, expandIdea].map((action) => ({
    name: action.name,
    prompt: renderPrompt(action as Action, input(action.name)).system,
  }));

  test.each(spoken)("$name asks for prompts only where the method has them", ({ prompt }) => {
    expect(prompt).not.toMatch(/missing_prompt_detail|every prompt in full|AI conference|language model/);
    for (const clause of prompt.split(/[.;:]\s/u).filter((text) => /\bprompts?\b/.test(text)))
      expect(clause).toMatch(/where|[Cc]omplete prompts/);
  });

  test("has examples of several fields and its own venue; prompting has examples of prompting", () => {
    expect(examplesOf(BATTERIES)).not.toEqual(examplesOf(TOPIC));
    expect(examplesOf("prompting")).toEqual(examplesOf(TOPIC));
    expect(textOf(judgePair, { ...full.judge_pair, venue: "a journal of electrochemistry" })).toContain(
      "You review for a journal of electrochemistry,",
    );
  });
});

describe("limits", () => {
  test("of an idea's parts are the same for proposer, critic and reviser", () => {
    for (const [action, name] of [
      [proposeIdeas, "propose_ideas"],
      [critiqueIdeas, "critique_ideas"],
      [reviseIdeas, "revise_ideas"],
    ] as const) {
      const { system } = renderPrompt(action as Action, full[name]);
      for (const limit of Object.values(WORD_LIMITS)) expect(system).toContain(` ${limit}`);
      expect(system).toMatch(/longer\s+document\s+(will be written|later)/);
    }
  });

  test("are those of the examples: the first is as long as is asked for, the others are short", () => {
    for (const examples of [examplesOf("prompting"), examplesOf(null)]) {
      const [first, ...others] = examples;
      expect(words(first!.proposed_method)).toBeGreaterThanOrEqual(200);
      expect(words(first!.proposed_method)).toBeLessThanOrEqual(WORD_LIMITS.longest_method);
      expect(words(first!.experiment_plan)).toBeGreaterThanOrEqual(100);
      expect(words(first!.experiment_plan)).toBeLessThanOrEqual(WORD_LIMITS.longest_plan);
      expect(others.map(({ proposed_method }) => words(proposed_method)).every((count) => count < 50)).toBe(true);
      expect(others).toHaveLength(2);
    }
  });

  test("of criticisms follow the batch", () => {
    expect(textOf(critiqueIdeas, { ...full.critique_ideas, most: 12 })).toContain("at most 12");
  });
});

test("limits of a proposal's sections are the same for its writer and its last reader, and far longer sections are sent back", () => {
  const [writer, reader] = [expandIdea, checkProposal].map(
    (action) => renderPrompt(action as Action, full[action.name]).system,
  );
  for (const limit of new Set(Object.values(SECTION_LIMITS))) {
    expect(writer).toContain(` ${limit} words`);
    expect(reader).toMatch(new RegExp(` ${limit}[,.\\s]`));
  }
  const long = { ...full.check_proposal.proposal, fallback_plan: "word ".repeat(270) };
  expect(expandIdea.check!(long, full.expand_idea)).toEqual(["`fallback_plan` has 270 words; at most 200."]);
  expect(inProfile(expandIdea as Action, "paper").check!({ ...long, closest_work: [] }, full.expand_idea)).toEqual([]);
  const [idea] = full.propose_ideas && proposeIdeas.mock(full.propose_ideas, "distinct").ideas;
  const wordy = { ideas: [{ ...idea!, motivation: "word ".repeat(200) }] };
  expect(proposeIdeas.check!(wordy, { ...full.propose_ideas, count: 1 })).toEqual([
    "`motivation` of idea 1 has 200 words; at most 120.",
  ]);
});

test("schemas of criticisms have the categories of their prompts", () => {
  for (const profile of ["default", "paper"] as const) {
    const { output, prompt } = inProfile(critiqueIdeas as Action, profile);
    const categories = (output as typeof critiqueSchema).shape.criticisms.element.shape.category.options;
    for (const category of CATEGORIES)
      expect([category, prompt.includes(category)]).toEqual([category, categories.includes(category)]);
  }
});

describe("critics of a later round", () => {
  const { ideas, earlier } = full.critique_ideas;
  const text = textOf(critiqueIdeas, full.critique_ideas);

  test("read the method and what has changed, and which parts stayed", () => {
    expect(text).toContain(ideas[1].proposed_method);
    expect(text).toContain(ideas[1].experiment_plan);
    expect(text).not.toContain(ideas[1].existing_methods);
    expect(text).toContain("(As before: problem, existing methods, motivation.)");
  });

  test("read the author's replies, and papers again only where criticisms name them", () => {
    expect(text).toContain(`${earlier[0].criticisms[0].criticism} The author replied: The plan names the split.`);
    const unnamed = { ...full.critique_ideas, earlier: [{ criticisms: [] }] };
    expect(textOf(critiqueIdeas, unnamed)).not.toContain(full.critique_ideas.papers[0].abstract);
    expect(textOf(critiqueIdeas, unnamed)).toContain(`- p1. ${full.critique_ideas.papers[0].title}\n`);
  });
});

describe("what a call is given", () => {
  test("critics of one round differ at the end only, so that a provider can reuse what it has read", () => {
    const [one, other] = ["You are a chemist.", "You are a scholar."].map((persona) =>
      renderPrompt(critiqueIdeas as Action, { ...full.critique_ideas, persona }),
    );
    expect(one!.system).toBe(other!.system);
    const same = [...one!.user].findIndex((character, at) => character !== other!.user[at]);
    expect(same / one!.user.length).toBeGreaterThan(0.95);
  });

  test("no paper stands twice in a prompt", () => {
    for (const action of actions as readonly Action[]) {
      const input = full[action.name];
      if (!input.papers?.length || action.name === "check_proposal") continue;
      const prompt = textOf(action, { ...input, critiques: [], criticisms: [], earlier: [], changed: null });
      expect(prompt.split(input.papers[0].abstract), action.name).toHaveLength(2);
    }
  });

  test("the reviser sees the papers that criticisms name; the writer of a proposal what critics and judge said", () => {
    expect(textOf(reviseIdeas, full.revise_ideas)).toContain(`- p1. ${full.revise_ideas.papers[0].title}`);
    const asked = textOf(expandIdea, full.expand_idea);
    expect(asked).toContain(full.expand_idea.criticisms[0].criticism);
    expect(asked).toContain(`- lost against "${full.expand_idea.verdicts[0].other}": It has no control.`);
    // Praise helps nobody; what the loser had ahead does.
    const won = full.expand_idea.verdicts[1].other;
    expect(asked).toContain(`- won against "${won}", for which this spoke nonetheless: The other costs less.`);
    expect(asked).not.toContain("It is newer.");
  });

  test("verdicts name their language, and come after the reason", () => {
    for (const name of [
      "judge_pair",
      "check_duplicate",
      "check_idea",
      "check_novelty",
      "score_rubric",
      "score_papers",
    ]) {
      const action = (actions as readonly Action[]).find((one) => one.name === name)!;
      const { system } = renderPrompt(action, full[name]);
      expect(system, name).toMatch(/language\s+of\s+the\s+topic/);
      const form = /\{"[^\n]+\}/.exec(system)![0];
      const reason = Math.max(form.indexOf('"reason"'), form.indexOf('"note"'));
      const verdict = form.search(/"(accepted|same|passes|matches|originality|score)"/);
      expect(reason, name).toBeGreaterThan(0);
      expect(verdict, name).toBeGreaterThan(reason);
    }
  });

  test("the judge compares by three questions where reasons are asked for, and else answers as in the paper", () => {
    const { check } = judgePair;
    const said = {
      problem: "x",
      novelty_and_soundness: "y",
      evidence: "z",
      for_the_other: "v",
      reason: "w",
      accepted: "A" as const,
    };
    expect(check!(said, full.judge_pair)).toEqual([]);
    expect(check!({ ...said, evidence: null }, full.judge_pair)).toEqual(["`evidence` is empty."]);
    const bare = { ...full.judge_pair, reasons: false };
    expect(check!(judgmentSchema.parse({ reason: null, accepted: "B" }), bare)).toEqual([]);
    expect(textOf(judgePair, bare)).not.toContain("First compare");
  });
});

test("artifacts of earlier versions can still be read", () => {
  expect(judgmentSchema.parse({ reason: "It is newer.", accepted: "A" })).toMatchObject({ evidence: null });
  const criticism = { idea: "x", quote: "y", category: "missing_prompt_detail", criticism: "z" };
  expect(critiqueSchema.parse({ criticisms: [criticism] }).criticisms[0]!.papers).toEqual([]);
  expect(paperScoresSchema.parse({ scores: [{ paper: "p1", score: 3 }] }).scores[0]!.note).toBe("");
  const { corrections: _, summary: _s, appendix: _a, ...earlier } = full.check_proposal.proposal;
  expect(proposalSchema.parse(earlier)).toMatchObject({ corrections: [], summary: "", appendix: [] });
});

describe("the profile `paper`", () => {
  const replaced = (actions as readonly Action[]).filter(({ paper }) => paper);

  test("replaces the prompts of ideation, critique, revision and proposals", () => {
    expect(replaced.map(({ name }) => name)).toEqual([
      "propose_ideas",
      "critique_ideas",
      "revise_ideas",
      "expand_idea",
    ]);
  });

  test.each(replaced.map((action) => ({ name: action.name, action: inProfile(action, "paper") })))(
    "$name renders full, bare and hostile inputs, and its mock output fits",
    ({ name, action }) => {
      const hostile = fullInputs(IDEAS.hostile!) as Record<string, any>;
      const bare = { ...(bareInputs(TOPIC) as Record<string, any>)[name], method: "prompting" };
      for (const input of [full[name], bare, hostile[name]]) {
        const { system, user } = renderPrompt(action, input);
        if (input !== hostile[name]) expect(`${system}${user}`).not.toMatch(/\{\{|undefined|\[object/);
        expect(user.match(/<\/material/g)?.length).toBe(user.match(/^<material name="[a-z ]+">$/gm)?.length);
        const output = action.mock(input, action.outcomes[0]);
        const parsed = action.output!.parse(output);
        expect(action.check?.(parsed, input) ?? []).toEqual([]);
        expect(JSON.stringify(parsed)).not.toMatch(/missing_procedure_detail|"substance"|"novelty"/);
      }
    },
  );

  test("has the paper's categories, its five criticisms, no cap of words, and every criticism to be met", () => {
    const paper = (action: Action, name: string) => renderPrompt(inProfile(action, "paper"), full[name]).system;
    const critique = paper(critiqueIdeas as Action, "critique_ideas");
    expect(critique).toContain("missing_prompt_detail");
    expect(critique).not.toMatch(/substance|novelty|longer document|words/);
    expect(paper(reviseIdeas as Action, "revise_ideas")).not.toMatch(/words|not followed/);
    expect(paper(proposeIdeas as Action, "propose_ideas")).not.toMatch(/words|two months/);
    expect(paper(expandIdea as Action, "expand_idea")).not.toMatch(/closest_work|appendix|words/);
    expect(PAPER_EXAMPLES).toHaveLength(6);
  });

  test("refuses extras for which its prompts have no place", () => {
    const errors = (extras: string[]) =>
      optionsSchema.safeParse({ profile: "paper", extras }).error?.issues.map(({ path }) => path.join(".")) ?? [];
    expect(errors(["critic_papers"])).toEqual(["extras"]);
    expect(errors(["match_reasons", "final_check"])).toEqual([]);
  });
});
