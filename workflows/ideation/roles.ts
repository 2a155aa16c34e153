import type { RoleDefinition } from "#workflow-kit/workflow";

/** Roles of the dialogue sample, so that trials differ; a batch of ideas is long. Judging roles decode greedily. */
const CREATIVE = { temperature: 1, max_output_tokens: 16_384 };
const GREEDY = { temperature: 0, max_output_tokens: 4096 };
/** Decoding of the paper's generator (spec, "Parameters"). */
const PAPER_GENERATOR = { temperature: 1, top_p: 1, max_output_tokens: 16_384 };

/** Roles of Ueda et al., section 3.2; librarian and ranker come from Si et al., whose pipeline the paper follows. */
const ROLES = {
  proposer: {
    summary: "Proposes ideas, and expands the best of them into proposals.",
    decoding: CREATIVE,
    paper_decoding: PAPER_GENERATOR,
  },
  critic: {
    summary: "Says what is missing in the ideas, or cannot be done.",
    decoding: CREATIVE,
    paper_decoding: PAPER_GENERATOR,
  },
  reviser: {
    summary: "The proposer again: revises the ideas after the critique.",
    decoding: CREATIVE,
    paper_decoding: PAPER_GENERATOR,
  },
  ranker: { summary: "Judges pairs of ideas or proposals, and checks ideas for the filters.", decoding: GREEDY },
  librarian: { summary: "Looks for papers, and scores them.", decoding: GREEDY },
} as const satisfies Record<string, Omit<RoleDefinition, "name">>;

export type Role = keyof typeof ROLES;

export const roles: readonly RoleDefinition[] = Object.entries(ROLES).map(([name, role]) => ({ name, ...role }));
