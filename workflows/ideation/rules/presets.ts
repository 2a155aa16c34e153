import { DRAWN } from "./personas";

/** The shape of the dialogues: P proposers, each with the same N critics, over L rounds of critique and revision. */
export interface Configuration {
  /** Name of the preset. */
  name: string;
  proposers: number;
  critics: number;
  depth: number;
  /** One entry per agent: a built-in name, or a text. A proposer also revises. */
  proposer_personas: string[];
  critic_personas: string[];
}

const RESEARCHER = "researcher";

const configuration = (
  depth: number,
  critic_personas: string[],
  proposer_personas: string[] = [RESEARCHER],
): Omit<Configuration, "name"> => ({
  proposers: proposer_personas.length,
  critics: critic_personas.length,
  depth,
  proposer_personas,
  critic_personas,
});

const researchers = (count: number): string[] => Array.from({ length: count }, () => RESEARCHER);

/**
 * The ten configurations of the paper (section 3.2), the mix that its results recommend (section 5, summary), and that mix with critics who
 * look at different things: at method and numbers, at the literature, and from another field.
 */
export const PRESETS = {
  single: configuration(0, []),
  baseline: configuration(1, researchers(1)),
  iterative_2: configuration(2, researchers(1)),
  iterative_3: configuration(3, researchers(1)),
  iterative_4: configuration(4, researchers(1)),
  parallel_2: configuration(1, researchers(2)),
  parallel_3: configuration(1, researchers(3)),
  parallel_4: configuration(1, researchers(4)),
  persona_critic: configuration(1, [DRAWN]),
  persona_proposer: configuration(1, ["reviewer"], [DRAWN]),
  recommended: configuration(2, [DRAWN, DRAWN, DRAWN]),
  panel: configuration(2, ["methodologist", "scholar", DRAWN]),
} as const satisfies Record<string, Omit<Configuration, "name">>;

export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as [Preset, ...Preset[]];

/** The caller's changes to a preset. */
export interface Overrides {
  proposers?: number | undefined;
  critics?: number | undefined;
  depth?: number | undefined;
  proposer_personas?: string[] | undefined;
  critic_personas?: string[] | undefined;
}

/** The preset with the caller's changes. Without critics there are no rounds, and without rounds no critics. */
export function configurationOf(preset: Preset, overrides: Overrides = {}): Configuration {
  const base = PRESETS[preset];
  const proposers = overrides.proposers ?? overrides.proposer_personas?.length ?? base.proposers;
  // If the preset has no critics and no rounds, asking for one of the two gives one of the other.
  const wanted = overrides.critics ?? overrides.critic_personas?.length ?? (base.critics || (overrides.depth ? 1 : 0));
  const rounds = overrides.depth ?? (base.depth || (wanted ? 1 : 0));
  const [critics, depth] = wanted && rounds ? [wanted, rounds] : [0, 0];
  return {
    name: preset,
    proposers,
    critics,
    depth,
    proposer_personas: overrides.proposer_personas ?? extended(base.proposer_personas, proposers),
    critic_personas: critics ? (overrides.critic_personas ?? extended(base.critic_personas, critics)) : [],
  };
}

/** Errors of a preset's changes, each with the field that it is about. */
export function shapeErrors(preset: Preset, overrides: Overrides): [field: keyof Overrides, message: string][] {
  const { critics, depth, critic_personas } = overrides;
  const errors: [keyof Overrides, string][] = [];
  if ((critics || critic_personas?.length) && depth === 0)
    errors.push([
      "depth",
      "Critics are requested, but no round of critique: set it to 1 or more, or request no critics.",
    ]);
  if ((depth || critic_personas?.length) && critics === 0)
    errors.push(["critics", "Rounds of critique are requested, but no critic."]);
  const shape = configurationOf(preset, overrides);
  const agents = { proposer_personas: shape.proposers, critic_personas: shape.critics };
  for (const [name, count] of Object.entries(agents) as [keyof typeof agents, number][])
    if (shape[name].length !== count) errors.push([name, `One entry per agent: there are ${count}.`]);
  return errors;
}

/** One entry per agent: the last entry is repeated. */
const extended = (entries: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => entries[index] ?? entries.at(-1) ?? RESEARCHER);

/** Model calls of one trial: for each proposer its proposal, and in each round the critiques and the revision. */
export const callsPerTrial = ({ proposers, critics, depth }: Configuration): number =>
  proposers * (1 + depth * (critics + 1));
