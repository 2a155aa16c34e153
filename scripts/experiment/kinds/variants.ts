import type { Variant } from "../kinds.ts";

/** Variants that several kinds compare: a method, the paper's profile of it, and one agent instead of many. */
export const WATERFALL: Variant[] = [
  { name: "waagents", workflow: "waterfall", options: { clarification: "infer" } },
  { name: "paper", workflow: "waterfall", options: { profile: "paper", clarification: "infer" } },
  { name: "single", workflow: "waterfall", options: { strategy: "single_agent" } },
];
export const DEBATE: Variant[] = [
  { name: "debate", workflow: "debate" },
  { name: "paper", workflow: "debate", options: { profile: "paper" } },
  { name: "single", workflow: "debate", options: { strategy: "single_agent" } },
];
/** One question to a model. */
export const PLAIN: Variant = { name: "plain", workflow: "plain" };
