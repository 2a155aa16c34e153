import type { RoleDefinition } from "#workflow-kit/workflow";

/** Roles of the dialogue sample, so that trials differ; judging roles decode greedily. */
const CREATIVE = { temperature: 1 };
const GREEDY = { temperature: 0 };

/** Roles of Ueda et al., section 3.2; librarian and ranker come from Si et al., whose pipeline the paper follows. */
const ROLES = {
  proposer: { summary: "Proposes ideas, and expands the best of them into proposals.", decoding: CREATIVE },
  critic: { summary: "Says what is missing in the ideas, or cannot be done.", decoding: CREATIVE },
  reviser: { summary: "The proposer again: revises the ideas after the critique.", decoding: CREATIVE },
  ranker: { summary: "Judges pairs of ideas or proposals, and checks ideas for the filters.", decoding: GREEDY },
  librarian: { summary: "Looks for papers, and scores them.", decoding: GREEDY },
} as const satisfies Record<string, Omit<RoleDefinition, "name">>;

export type Role = keyof typeof ROLES;

export const roles: readonly RoleDefinition[] = Object.entries(ROLES).map(([name, role]) => ({ name, ...role }));
