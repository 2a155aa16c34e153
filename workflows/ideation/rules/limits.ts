import { IDEA_FIELDS, type Idea, type Proposal } from "../artifacts";

/** Limits of an idea's parts, in words: proposers, critics and revisers are told the same. */
export const IDEA_LIMITS = {
  problem: 100,
  existing_methods: 100,
  motivation: 120,
  proposed_method: 350,
  experiment_plan: 300,
} as const satisfies Record<(typeof IDEA_FIELDS)[number], number>;

/** The limits of the two long parts, as prompts name them. */
export const WORD_LIMITS = {
  longest_method: IDEA_LIMITS.proposed_method,
  longest_plan: IDEA_LIMITS.experiment_plan,
} as const;

/** Limits of a proposal's sections, in words: its writer and its last reader are told the same. */
export const SECTION_LIMITS = {
  title: 20,
  summary: 120,
  problem_statement: 200,
  motivation: 250,
  proposed_method: 700,
  step: 140,
  test_case: 100,
  fallback_plan: 200,
} as const;

/** Most criticisms of a critic in the paper, whatever the number of ideas. */
export const PAPER_CRITICISMS = 5;

/** Most criticisms that an output may have. */
const MAX_CRITICISMS = 20;

/** Most criticisms of a batch of ideas: one for each idea, and no fewer than the paper's five. */
export const mostCriticisms = (ideas: number): number => Math.min(Math.max(PAPER_CRITICISMS, ideas), MAX_CRITICISMS);

/** How far above its limit a part may be before it is sent back: writing it again costs more than some words. */
const LENIENCE = 1.3;

export const countWords = (text: string): number => text.match(/\S+/gu)?.length ?? 0;

const tooLong = (where: string, text: string, most: number): string[] => {
  const words = countWords(text);
  return words > most * LENIENCE ? [`${where} has ${words} words; at most ${most}.`] : [];
};

/** Parts of an idea that are far too long; null: not written. */
export const longParts = (
  idea: { [field in (typeof IDEA_FIELDS)[number]]: Idea[field] | null },
  of: string,
): string[] => IDEA_FIELDS.flatMap((field) => tooLong(`\`${field}\` of ${of}`, idea[field] ?? "", IDEA_LIMITS[field]));

/** Sections of a proposal that are far too long; null or absent: not written. */
export function longSections(sections: { [name in keyof Proposal]?: Proposal[name] | null }): string[] {
  const { experiment_plan, test_cases } = sections;
  const plain = ["summary", "problem_statement", "motivation", "proposed_method", "fallback_plan"] as const;
  return [
    ...plain.flatMap((name) => tooLong(`\`${name}\``, sections[name] ?? "", SECTION_LIMITS[name])),
    ...(experiment_plan ?? []).flatMap(({ step, details }) =>
      tooLong(`Step "${step}" of \`experiment_plan\``, details, SECTION_LIMITS.step),
    ),
    ...Object.entries(test_cases ?? {}).flatMap(([name, fields]) =>
      Object.entries(fields).flatMap(([field, text]) =>
        tooLong(`\`${field}\` of \`${name}\``, text, SECTION_LIMITS.test_case),
      ),
    ),
  ];
}
