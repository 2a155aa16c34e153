import { workflows } from "#workflows/index";
import { bareInputs as bareOfDebate, rehearsedInputs as inputsOfDebate } from "./debate/rehearsed";
import { bareInputs as bareOfExperiment, rehearsedInputs as inputsOfExperiment } from "./experiment/rehearsed";
import { bareInputs as bareOfIdeation, rehearsedInputs as inputsOfIdeation } from "./ideation/rehearsed";
import { bareInputs as bareOfPlain, rehearsedInputs as inputsOfPlain } from "./plain/rehearsed";
import { bareInputs, IDEAS, rehearsedInputs } from "./requirements/rehearsed";
import { bareInputs as bareOfWaterfall, rehearsedInputs as inputsOfWaterfall } from "./waterfall/rehearsed";

interface Samples {
  full: Record<string, unknown>;
  bare: Record<string, unknown>;
}

const samplesOf = (idea: string): Record<keyof typeof workflows, Samples> => ({
  ideation: { full: inputsOfIdeation(idea), bare: bareOfIdeation(idea) },
  requirements: { full: rehearsedInputs(idea), bare: bareInputs(idea) },
  waterfall: { full: inputsOfWaterfall(idea), bare: bareOfWaterfall(idea) },
  plain: { full: inputsOfPlain(idea), bare: bareOfPlain(idea) },
  debate: { full: inputsOfDebate(idea), bare: bareOfDebate(idea) },
  experiment: { full: inputsOfExperiment(idea), bare: bareOfExperiment(idea) },
});

/** Inputs of every action, by name: `full` with all parts, `bare` without the optional parts. */
export const SAMPLES = samplesOf(IDEAS["a paragraph"]!);

/** The same about a hostile idea. */
export const HOSTILE_SAMPLES = samplesOf(IDEAS.hostile!);
