import type { RoleDefinition } from "#workflow-kit/workflow";

/** Judges decode greedily, as in FairEval and the papers' evaluations. */
const ROLES = {
  judge: { summary: "Scores or compares answers of trials.", decoding: { temperature: 0, max_output_tokens: 4096 } },
} as const satisfies Record<string, Omit<RoleDefinition, "name">>;

export const roles: readonly RoleDefinition[] = Object.entries(ROLES).map(([name, role]) => ({ name, ...role }));
