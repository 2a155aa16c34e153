import type { RoleDefinition } from "#workflow-kit/workflow";

/** The paper's roles (Silva et al., 3.1). The temperatures are ours: debaters should vary, a judge should not. */
export const roles: readonly RoleDefinition[] = [
  {
    name: "retriever",
    summary: "Finds excerpts of evidence; calls no model except the embedding model, and never invents text.",
    decoding: { temperature: 0 },
  },
  {
    name: "debater",
    summary: "Argues for one answer, citing the authorities it uses; also the single agent of the baselines.",
    decoding: { temperature: 0.7 },
  },
  {
    name: "cross_examiner",
    summary: "Asks each side one question before judgment, and finds misconceptions on request.",
    decoding: { temperature: 0 },
  },
  { name: "judge", summary: "Reads all briefs, decides, and checks the citations.", decoding: { temperature: 0 } },
];
