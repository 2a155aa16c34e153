import type { KindDefinition } from "#workflow-kit/workflow";

export const REVIEW_KINDS = ["answer"] as const;

export const KINDS: Readonly<Record<string, KindDefinition<(typeof ADDRESSEES)[number]>>> = {
  answer: { summary: "The reply: reasoning and answer, Markdown.", send_to: ["human"] },
};

const ADDRESSEES = ["human"] as const;
