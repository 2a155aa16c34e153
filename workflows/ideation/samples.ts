import { critiqueIdeas, expandIdea, proposeIdeas, reviseIdeas } from "./actions";
import type { Proposal, SourcedIdea } from "./artifacts";
import { examplesOf } from "./actions/examples";
import type { ProposeIdeasInput } from "./inputs";
import { judgedIdea, judgedProposal } from "./reports/markdown";
import { revised } from "./rules/revisions";

export const TOPIC = "novel prompting methods that can better quantify uncertainty of large language models";

export const PAPERS = [
  {
    title: "Just Ask for Calibration",
    abstract: "Models are asked for their confidence in words, and it is compared with sampling.",
  },
  {
    title: "Semantic Uncertainty",
    abstract: "Answers of one meaning are grouped, and the entropy over the groups is taken.",
  },
];

/** The input of a proposer. */
export const proposal = (seed: number, more: Partial<ProposeIdeasInput> = {}): ProposeIdeasInput => ({
  topic: TOPIC,
  method: "prompting",
  persona: "You are a researcher.",
  papers: [],
  examples: examplesOf("prompting"),
  existing: [],
  count: 5,
  seed,
  base_seed: 2024,
  ...more,
});

/** Ideas of several trials, numbered as in a run. */
export const ideasOf = (trials: number, outcome = "distinct", more: Partial<ProposeIdeasInput> = {}): SourcedIdea[] =>
  Array.from({ length: trials }, (_, trial) =>
    proposeIdeas.mock(proposal(2024 + trial, more), outcome).ideas.map((idea) => ({ ...idea, trial: trial + 1 })),
  )
    .flat()
    .map((idea, index) => ({ ...idea, id: `i${index + 1}`, configuration: "baseline", proposer: 1 }));

/** The input of each action in a mock run, by action name, with all optional parts. */
export function fullInputs(topic: string): Record<string, unknown> {
  const propose = proposal(2024, { topic, papers: PAPERS, existing: ["Confidence Auction"], method: "decoding" });
  const { ideas } = proposeIdeas.mock(propose, "distinct");
  const first = {
    topic,
    persona: "You are a physicist.",
    ideas,
    papers: PAPERS,
    earlier: [],
    replies: [],
    changed: null,
    most: 5,
    seed: 7,
  };
  const critiques = [critiqueIdeas.mock(first, "critical")];
  const replies = [{ criticism: "c1", reply: "The plan names the split." }];
  const changed = ideas.map(() => ["experiment_plan" as const]);
  const critique = { ...first, earlier: critiques, replies, changed };
  const papers = PAPERS.map((paper, index) => ({ ...paper, key: `p${index + 1}` }));
  const revise = { topic, method: "decoding", persona: "You are a researcher.", ideas, critiques, papers };
  const [idea] = revised(ideas, reviseIdeas.mock(revise, "revise"));
  const { criticisms } = critiques[0]!;
  const verdicts = [
    { outcome: "lost" as const, other: ideas[1]!.name, reason: "It has no control.", although: null },
    { outcome: "won" as const, other: ideas[2]!.name, reason: "It is newer.", although: "The other costs less." },
  ];
  const expand = { topic, method: "decoding", idea: idea!, papers: PAPERS, criticisms, verdicts };
  const expanded = { ...expandIdea.mock(expand, "proposal"), corrections: ["Step 2 had no input."] };
  const plan = judgedProposal(expanded);
  const sourced = { ...idea!, id: "i1", configuration: "baseline", trial: 1, proposer: 1 };
  return {
    write_paper_query: { topic, best: PAPERS, queries: ["keyword: confidence"] },
    score_papers: { topic, papers: PAPERS },
    propose_ideas: propose,
    critique_ideas: critique,
    revise_ideas: revise,
    check_duplicate: { topic, one: idea, other: ideas[1] },
    check_idea: { topic, method: "decoding", criterion: "consistency", idea },
    check_novelty: { topic, idea, papers: PAPERS },
    expand_idea: expand,
    check_proposal: { topic, proposal: expanded, papers: PAPERS },
    write_novelty_queries: { topic, idea },
    judge_pair: {
      topic,
      of: "proposals",
      venue: "a leading venue",
      first: plan,
      second: judgedIdea(sourced),
      reasons: true,
    },
    score_rubric: { topic, plan },
  };
}

/** The same inputs without their optional parts. */
export function bareInputs(topic: string): Record<string, unknown> {
  const full = fullInputs(topic) as Record<string, any>;
  return {
    ...full,
    write_paper_query: { topic, best: [], queries: ["keyword: confidence"] },
    score_papers: { topic, papers: PAPERS.slice(0, 1) },
    propose_ideas: proposal(1, { topic, count: 1, method: null }),
    critique_ideas: {
      ...full.critique_ideas,
      ideas: full.critique_ideas.ideas.slice(0, 1),
      papers: null,
      earlier: [],
      replies: [],
      changed: null,
    },
    expand_idea: { ...full.expand_idea, method: null, papers: null, criticisms: [], verdicts: [] },
    check_proposal: {
      topic,
      proposal: expandIdea.paper!.mock!(full.expand_idea, "proposal") as Proposal,
      papers: [],
    },
    revise_ideas: {
      ...full.revise_ideas,
      method: null,
      ideas: full.revise_ideas.ideas.slice(0, 1),
      critiques: [],
      papers: [],
    },
    check_idea: { ...full.check_idea, criterion: "significance", method: null },
    check_novelty: { ...full.check_novelty, papers: [] },
    judge_pair: { ...full.judge_pair, of: "ideas", first: "Name: one", second: "Name: other", reasons: false },
  };
}

/** Texts of inputs that need no fence: of a closed set of words, or an id that code made. By action and path. */
export const CLOSED = /\.(category|key|outcome)$|\/of$/;

/** Texts by which the caller or the deployment instructs the model: they stand outside of fences. */
export const INSTRUCTIONS = /\/(method|persona|venue)$|\/examples\.\d+\.\w+$/;

/** Lists that are never empty. */
export const FILLED = /\/(papers|queries)$|\.criticisms$/;
