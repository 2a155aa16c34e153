import type { RunSpec } from "../instance/spec";
import type { ResolvedModel } from "#llm";
import { seedOf } from "#workflow-kit/programs";

/** The step that a seed is for. */
interface SeededStep {
  /** Its name. */
  step: string;
  /** The seed that the workflow states for it; undefined: none. */
  seed?: number | undefined;
}

/**
 * The seed of a step's model call, or none. The engine derives it from the seed of the role or of the run and from the step's name: steps
 * that share a prompt would else share their answer too. A seed that the workflow states is sent as it is, unless the caller set one for
 * the role. Each further try has another seed.
 * @param nth number of the try, from 1
 */
export function seedOfCall(
  { models }: Pick<RunSpec, "models">,
  { seed: ofRole }: Pick<ResolvedModel, "seed">,
  { step, seed: ofStep }: SeededStep,
  nth: number,
): { seed?: number } {
  const roleHasItsOwn = ofRole !== undefined && ofRole !== models.seed;
  const stated = roleHasItsOwn ? undefined : ofStep;
  if (stated !== undefined && nth === 1) return { seed: stated };
  const base = stated ?? ofRole;
  return base === undefined ? {} : { seed: derivedSeed(base, nth === 1 ? step : `${step}~try${nth}`) };
}

/** A seed from 0 to 2^31 - 1; all providers take these. */
const derivedSeed = (base: number, name: string): number => seedOf(`${base}/${name}`) & 0x7fff_ffff;
