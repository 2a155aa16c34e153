import { chooseOption, framePositions, proposeFraming, rankOptions } from "./assignment";
import {
  answerQuestion,
  askCrossQuestion,
  findMisconceptions,
  requestSnippet,
  writeOpening,
  writeRebuttal,
} from "./debating";
import { answerAlone, checkCitations, judgeDebate } from "./judging";

export const actions = [
  rankOptions,
  chooseOption,
  proposeFraming,
  framePositions,
  writeOpening,
  requestSnippet,
  writeRebuttal,
  findMisconceptions,
  askCrossQuestion,
  answerQuestion,
  judgeDebate,
  answerAlone,
  checkCitations,
] as const;

export {
  answerAlone,
  answerQuestion,
  askCrossQuestion,
  checkCitations,
  chooseOption,
  findMisconceptions,
  framePositions,
  judgeDebate,
  proposeFraming,
  rankOptions,
  requestSnippet,
  writeOpening,
  writeRebuttal,
};
