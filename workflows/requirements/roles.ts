import type { RoleDefinition } from "#workflow-kit/workflow";

/** Decoding of all roles (MARE, III-E), but for the limit of output tokens. */
const decoding = { temperature: 0, top_p: 1, frequency_penalty: 0, presence_penalty: 0 };

/** Output tokens for the largest answers of each role: documents of the Collector and the Documenter, lists of the others. */
const MAX_OUTPUT_TOKENS: Record<Role, number> = {
  stakeholder: 8_192,
  collector: 16_384,
  modeler: 12_288,
  checker: 12_288,
  documenter: 16_384,
};

/** An agent's identity, with which its prompts begin (MARE, Table I). */
export interface Identity {
  name: string;
  profile: string;
  goal: string;
}

export const IDENTITIES = {
  stakeholder: {
    name: "Alice",
    profile: "an experienced requirements stakeholder",
    goal: "to say what you need from the system to be developed, and why",
  },
  collector: {
    name: "Bob",
    profile: "an experienced requirements collector",
    goal: "to interview the stakeholders, to find out what they really need, and to write it down",
  },
  modeler: {
    name: "Carol",
    profile: "an experienced requirements modeler",
    goal: "to extract the requirements model, its entities and its relations, from the requirements draft",
  },
  checker: {
    name: "Dave",
    profile: "an experienced requirements checker",
    goal: "to judge the quality of the requirements with the help of the requirements model",
  },
  documenter: {
    name: "Eve",
    profile: "an experienced requirements documenter",
    goal: "to write the requirements specification, or the report of what is wrong with the requirements",
  },
} as const satisfies Record<string, Identity>;

export type Role = keyof typeof IDENTITIES;

/** An addressee of artifacts: an agent, or the person who gave the idea. */
export type Addressee = Role | "human";

export const ROLES = Object.keys(IDENTITIES) as Role[];

const SUMMARIES: Record<Role, string> = {
  stakeholder: "Tells user stories and answers the Collector's questions; one for each stakeholder of the input.",
  collector: "Asks the stakeholders questions and writes the requirements draft.",
  modeler: "Extracts entities and relations from the draft.",
  checker: "Finds requirement smells in draft and model by the acceptance criteria.",
  documenter: "Writes the specification or the error report.",
};

export const roles: readonly RoleDefinition[] = ROLES.map((name) => ({
  name,
  summary: SUMMARIES[name],
  decoding: { ...decoding, max_output_tokens: MAX_OUTPUT_TOKENS[name] },
  paper_decoding: { ...decoding, max_output_tokens: 3_000 },
}));
