import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted } from "#workflow-kit/prompt-values";
import checkProposalPrompt from "../../../prompts/ideation/check_proposal.md";
import expandIdeaPrompt from "../../../prompts/ideation/expand_idea.md";
import paperExpandIdeaPrompt from "../../../prompts/ideation/paper/expand_idea.md";
import knownFaults from "../../../prompts/ideation/shared/known_faults.md";
import {
  paperProposalSchema,
  proposalCheckSchema,
  proposalSchema,
  type Proposal,
  type ProposalCheck,
} from "../artifacts";
import type { CheckProposalInput, ExpandIdeaInput, ShownPaper } from "../inputs";
import { mockExpansion, mockPaperExpansion, mockProposalCheck } from "../mock/proposal";
import { changedSections, quoteErrors } from "../rules/proposals";
import { longSections, SECTION_LIMITS } from "../rules/limits";
import { keyOf } from "../rules/papers";
import { ideaValues, methodValue, paperValues } from "./prompt-values";

/** Errors of sections that a schema cannot state; null: the section stays as it is. */
function sectionFaults(
  sections: { [name in keyof Proposal]?: Proposal[name] | null },
  papers: readonly ShownPaper[],
): string[] {
  const texts = Object.entries(sections).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const unknown = (sections.closest_work ?? []).filter(
    ({ paper }) => paper !== null && !papers.map(keyOf).includes(paper),
  );
  return [
    ...blanks(texts.map(([name, text]) => [`\`${name}\``, text] as const)),
    ...unknown.map(({ paper }) => `"${paper}" is not the id of one of the papers; write null for a work from memory.`),
  ];
}

const ideaVariables = ({ topic, method, idea }: ExpandIdeaInput) => ({
  topic: escapeUntrusted(topic),
  method: methodValue(method),
  idea: ideaValues(idea),
});

export const expandIdea = defineAction<ExpandIdeaInput, Proposal>({
  name: "expand_idea",
  role: "proposer",
  kind: "proposal",
  summary:
    "Expands an idea into a proposal, with what critics and the judge said of it, and against the nearest works.",
  prompt: expandIdeaPrompt,
  output: proposalSchema,
  // Only ideas need variety; a proposal elaborates its idea (Si et al. decode it greedily).
  decoding: { temperature: 0 },
  variables: (input) => ({
    ...ideaVariables(input),
    known_faults: knownFaults.trim(),
    nearest: input.papers && { papers: input.papers.map(paperValues) },
    criticisms: input.criticisms.map(({ category, quote, criticism }) => ({
      category,
      quote: line(quote),
      criticism: line(criticism),
    })),
    verdicts: input.verdicts.map(({ outcome, other, reason, although }) => ({
      outcome,
      other: line(other),
      reason: line(reason),
      although: although && line(although),
    })),
    limits: SECTION_LIMITS,
  }),
  check: (output, { papers }) => [...sectionFaults(output, papers ?? []), ...longSections(output)],
  outcomes: ["proposal"],
  mock: (input, _outcome, feedback) => mockExpansion(input, feedback),
  paper: {
    prompt: paperExpandIdeaPrompt,
    output: paperProposalSchema,
    decoding: { temperature: 0, max_output_tokens: 4096 },
    variables: ideaVariables,
    check: ({ summary: _, ...output }: Proposal) => sectionFaults(output, []),
    mock: (input, _outcome, feedback) => mockPaperExpansion(input, feedback),
  },
});

export const checkProposal = defineAction<CheckProposalInput, ProposalCheck>({
  name: "check_proposal",
  role: "reviser",
  kind: "proposal_check",
  summary: "Looks for common mistakes in a finished proposal, and rewrites the passages that have one.",
  prompt: checkProposalPrompt,
  output: proposalCheckSchema,
  decoding: { temperature: 0 },
  variables: ({ topic, proposal, papers }) => ({
    topic: escapeUntrusted(topic),
    known_faults: knownFaults.trim(),
    papers: papers.map(paperValues),
    limits: SECTION_LIMITS,
    ...proposalValues(proposal),
  }),
  check(output, { proposal, papers }) {
    const misquoted = quoteErrors(output, proposal);
    if (misquoted.length) return misquoted;
    const after = changedSections(proposal, output);
    return [...sectionFaults(after, papers), ...longSections(after)];
  },
  outcomes: ["sound", "mended"],
  mock: (input, outcome, feedback) => mockProposalCheck(input, outcome, feedback),
});

/** The sections of a proposal as the last reader sees them. */
function proposalValues(proposal: Proposal) {
  const testCase = ({ input, baseline, method, explanation }: Proposal["test_cases"]["baseline_fails"]) => ({
    input: escapeUntrusted(input),
    baseline: escapeUntrusted(baseline),
    method: escapeUntrusted(method),
    explanation: escapeUntrusted(explanation),
  });
  return {
    title: line(proposal.title),
    summary: escapeUntrusted(proposal.summary),
    problem_statement: escapeUntrusted(proposal.problem_statement),
    motivation: escapeUntrusted(proposal.motivation),
    closest_work: proposal.closest_work.map(({ paper, work, new_here }) => ({
      paper: paper === null ? "from memory" : line(paper),
      work: line(work),
      new_here: line(new_here),
    })),
    proposed_method: escapeUntrusted(proposal.proposed_method),
    experiment_plan: proposal.experiment_plan.map(({ step, details }) => ({
      step: line(step),
      details: escapeUntrusted(details),
    })),
    baseline_fails: testCase(proposal.test_cases.baseline_fails),
    method_succeeds: testCase(proposal.test_cases.method_succeeds),
    fallback_plan: escapeUntrusted(proposal.fallback_plan),
    appendix: proposal.appendix.map(({ title, text }) => ({ title: line(title), text: escapeUntrusted(text) })),
  };
}
