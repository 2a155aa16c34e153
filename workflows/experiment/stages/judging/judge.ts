import type { Action } from "#workflow-kit/action";
import type { DocumentReference } from "#workflow-kit/artifact";
import type { DatasetItem } from "#workflow-kit/datasets";
import type { StepResult } from "#workflow-kit/run";
import type { Context } from "../../context";
import type { Verdict } from "../../rules/judgements";
import {
  answerDocument,
  answerOf,
  bounded,
  MAX_ANSWER_LENGTH,
  MAX_REQUEST_LENGTH,
  requestOf,
  withoutNames,
} from "../../rules/material";
import type { JudgeParameters } from "../../rules/metrics/judged";
import type { Trial } from "../../rules/trials";

/** How a metric is judged. */
export interface Judge {
  /** Artifacts that it reads of a trial. */
  reads(trial: Trial): readonly DocumentReference[];
  /** One judgement; its steps are named by the case. */
  judge(one: JudgedCase): Promise<Verdict>;
}

/** A completed trial that is to be judged, alone or against another one. */
export class JudgedCase {
  /** What was cut off for the judge. */
  readonly notes: string[] = [];

  /**
   * @param key distinguishes the steps of this case: metric and trial
   * @param names of models, which no judge reads
   */
  constructor(
    readonly context: Context,
    readonly key: string,
    readonly parameters: JudgeParameters,
    readonly item: DatasetItem,
    readonly trial: Trial,
    readonly rival: Trial | null,
    private readonly names: readonly string[],
  ) {}

  /** One call of the judge. */
  ask<Input, Output>(action: Action<Input, Output>, input: Input, part?: string): Promise<StepResult<Output>> {
    const key = part === undefined ? this.key : `${this.key}/${part}`;
    return this.context.run.tryStep(action, input, { key, subject: this.trial.item, seed: this.context.seedFor(key) });
  }

  get request(): string {
    return this.shown(requestOf(this.item), MAX_REQUEST_LENGTH, "request");
  }

  /** The answer of the trial or of its rival, blinded; null: it has none. */
  answer(trial: Trial): string | null {
    const text = answerOf(trial);
    return text === null ? null : this.shown(text, MAX_ANSWER_LENGTH, "answer");
  }

  /** A text as the judge reads it: without names of models, and not longer than this. */
  shown(text: string, most: number, what: string): string {
    const { text: kept, left_out } = bounded(withoutNames(text, this.names), most);
    if (left_out > 0) this.notes.push(`${left_out} characters of the ${what} were left out.`);
    return kept;
  }
}

/** The artifact that holds a trial's answer. */
export const readsAnswer = (trial: Trial): readonly DocumentReference[] => {
  const document = answerDocument(trial);
  return document ? [document] : [];
};

export const NO_ANSWER: Verdict = { failure: "The trial gave no answer that can be judged." };

/** Why a call of the judge gave nothing. */
export const failureOf = ({ failure }: Pick<StepResult<unknown>, "failure">): string =>
  `The judge gave nothing usable: ${failure!.code}.`;
