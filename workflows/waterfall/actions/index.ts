import { askClarifications, optimizeRequirement, transformRequirement, verifyRequirement } from "./analysis";
import { decomposeTask, verifyPseudocode, writePseudocode } from "./design";
import { answerDirectly, callAgent, generateCode, verifyResponse } from "./implementation";
import { analyzeError, fixCode, fixPseudocode } from "./reflection";

/** The twelve experts of the paper, one action each; the worker agents; the single agent. */
export const actions = [
  askClarifications,
  optimizeRequirement,
  transformRequirement,
  verifyRequirement,
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
] as const;

export {
  analyzeError,
  answerDirectly,
  askClarifications,
  callAgent,
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
