import type { RoleDefinition } from "#workflow-kit/workflow";

/** The paper decodes greedily (Kojima et al., section 4). */
export const roles: readonly RoleDefinition[] = [
  {
    name: "answerer",
    summary: "Answers the request in one reply.",
    decoding: { max_output_tokens: 16_384 },
    paper_decoding: { temperature: 0, max_output_tokens: 16_384 },
  },
];
