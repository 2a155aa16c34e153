import { seedOf } from "#workflow-kit/programs";
import type { DatasetItem } from "#workflow-kit/datasets";

/** Most trials of one experiment: as many children as a run may start. */
export const MAX_TRIALS = 5000;

/** A trial to run. */
export interface PlannedTrial<Variant> {
  /** `<variant>/<item>/<repetition>` */
  key: string;
  variant: Variant;
  item: DatasetItem;
  /** From 0. */
  repetition: number;
}

/** All trials: every variant of an item before the next item, so that an experiment which ends early has run the same items in each. */
export function plannedTrials<Variant extends { name: string }>(
  variants: readonly Variant[],
  items: readonly DatasetItem[],
  repetitions: number,
): PlannedTrial<Variant>[] {
  return Array.from({ length: repetitions }, (_, repetition) =>
    items.flatMap((item) =>
      variants.map((variant) => ({ key: `${variant.name}/${item.id}/${repetition}`, variant, item, repetition })),
    ),
  ).flat();
}

/** Seed of a trial's run. It does not depend on the variant, so that the trials of a pair share it. @param base of the request */
export const trialSeed = (base: number, item: string, repetition: number): number =>
  seedOf(`${base}/${item}/${repetition}`) & 0x7fff_ffff;
