import { checkRequirement, deriveAcceptanceCriteria } from "./checker";
import { proposeQuestion, reviseReqDraft, writeReqDraft } from "./collector";
import { writeCheckReport, writeSrs } from "./documenter";
import { extractEntity, extractModel, extractRelation, listRelations } from "./modeler";
import { answerQuestion, speakUserStories } from "./stakeholder";

/** The nine actions of the paper (Table I), and ours. */
export const actions = [
  speakUserStories,
  proposeQuestion,
  answerQuestion,
  writeReqDraft,
  reviseReqDraft,
  extractEntity,
  listRelations,
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
  listRelations,
  proposeQuestion,
  reviseReqDraft,
  speakUserStories,
  writeCheckReport,
  writeReqDraft,
  writeSrs,
};
