import type { BuiltInAgent } from "./agent";
import { COMPUTING } from "./computing";
import { CONVERSATION_AND_PLANNING } from "./conversation-and-planning";
import { EDUCATION } from "./education";
import { FINANCE } from "./finance";
import { HEALTH_AND_LAW } from "./health-and-law";
import { HUMANITIES } from "./humanities";
import { LANGUAGE } from "./language";
import { NEWS_AND_TRAVEL } from "./news-and-travel";
import { SCIENCE } from "./science";

export type { BuiltInAgent } from "./agent";

/** The agents available to all tenants, by domain (WaAgents, 3.2: a collection over many domains, each entry tuned by hand). */
export const BUILT_IN: readonly BuiltInAgent[] = [
  ...EDUCATION,
  ...SCIENCE,
  ...HUMANITIES,
  ...COMPUTING,
  ...LANGUAGE,
  ...FINANCE,
  ...NEWS_AND_TRAVEL,
  ...HEALTH_AND_LAW,
  ...CONVERSATION_AND_PLANNING,
];
