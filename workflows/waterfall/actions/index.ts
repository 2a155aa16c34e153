import { askClarifications, optimizeRequirement, transformRequirement, verifyRequirement } from "./analysis";
import { chooseAgents, decomposeTask, verifyPseudocode, writePseudocode } from "./design";
import { answerDirectly, answerWithCalls, callAgent, generateCode, verifyResponse } from "./implementation";
import { analyzeError, fixCode, fixPseudocode } from "./reflection";

/** The twelve experts of the paper, one action each; the choice from a large registry; the worker agents; the single agent. */
export const actions = [
  askClarifications,
  optimizeRequirement,
  transformRequirement,
  verifyRequirement,
  chooseAgents,
  decomposeTask,
  writePseudocode,
  verifyPseudocode,
  generateCode,
  callAgent,
  verifyResponse,
  analyzeError,
  fixPseudocode,
  fixCode,
  answerDirectly,
  answerWithCalls,
] as const;

export {
  analyzeError,
  answerDirectly,
  answerWithCalls,
  askClarifications,
  callAgent,
  chooseAgents,
  decomposeTask,
  fixCode,
  fixPseudocode,
  generateCode,
  optimizeRequirement,
  transformRequirement,
  verifyPseudocode,
  verifyRequirement,
  verifyResponse,
  writePseudocode,
};
