import { checkRequirement, deriveAcceptanceCriteria } from "./checker";
import { proposeQuestion, writeReqDraft } from "./collector";
import { writeCheckReport, writeSrs } from "./documenter";
import { extractEntity, extractModel, extractRelation } from "./modeler";
import { answerQuestion, speakUserStories } from "./stakeholder";

/** The nine actions of the paper (Table I), `derive_acceptance_criteria` and `extract_model`. */
export const actions = [
  speakUserStories,
  proposeQuestion,
  answerQuestion,
  writeReqDraft,
  extractEntity,
  extractRelation,
  extractModel,
  deriveAcceptanceCriteria,
  checkRequirement,
  writeSrs,
  writeCheckReport,
] as const;

export {
  answerQuestion,
  checkRequirement,
  deriveAcceptanceCriteria,
  extractEntity,
  extractModel,
  extractRelation,
  proposeQuestion,
  speakUserStories,
  writeCheckReport,
  writeReqDraft,
  writeSrs,
};
