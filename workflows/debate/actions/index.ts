import { answerBriefly, chooseOption, framePositions, proposeFraming, rankOptions } from "./assignment";
import {
  answerQuestion,
  askCrossQuestion,
  findMisconceptions,
  requestSnippet,
  writeOpening,
  writeRebuttal,
} from "./debating";
import { answerAlone, checkSupport, judgeDebate } from "./judging";

export const actions = [
  answerBriefly,
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
  checkSupport,
] as const;

export * from "./assignment";
export * from "./debating";
export * from "./judging";
