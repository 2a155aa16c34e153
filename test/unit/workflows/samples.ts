import { workflows } from "#workflows/index";
import { IDEAS } from "./ideas";

/** What `workflows/<name>/samples.ts` exports for the tests of all prompts. The patterns match `<action>/<path in its input>`. */
interface SamplesModule {
  /** The input of every action, by its name, with all optional parts. */
  fullInputs(text: string): Record<string, unknown>;
  /** The same without the optional parts. */
  bareInputs(text: string): Record<string, unknown>;
  /** Texts of inputs that need no fence: of a closed set of words, or an id that code made. */
  CLOSED?: RegExp;
  /** Texts by which the caller or the deployment instructs the model. They stand outside of fences, and can still not open or close one. */
  INSTRUCTIONS?: RegExp;
  /** Lists that are never empty: schemas or the control flow see to that. */
  FILLED?: RegExp;
}

const NAMES = Object.keys(workflows) as (keyof typeof workflows)[];

const byWorkflow = <T>(make: (name: (typeof NAMES)[number]) => T) =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<(typeof NAMES)[number], T>;

const loaded = await Promise.all(
  NAMES.map(async (name): Promise<[string, SamplesModule]> => [
    name,
    await import(`../../../workflows/${name}/samples.ts`),
  ]),
);
const modules: Record<string, SamplesModule> = Object.fromEntries(loaded);

const inputsAbout = (text: string) =>
  byWorkflow((name) => ({ full: modules[name]!.fullInputs(text), bare: modules[name]!.bareInputs(text) }));

/** Inputs of every action, by name: `full` with all parts, `bare` without the optional parts. */
export const SAMPLES = inputsAbout(IDEAS["a paragraph"]!);

/** The same about a hostile idea. */
export const HOSTILE_SAMPLES = inputsAbout(IDEAS.hostile!);

const NONE = /(?!)/;

/** The parts of inputs to which a rule for prompts does not apply. */
export const EXCEPTIONS = byWorkflow((name) => {
  const { CLOSED = NONE, INSTRUCTIONS = NONE, FILLED = NONE } = modules[name]!;
  return { CLOSED, INSTRUCTIONS, FILLED };
});
