import { quoted } from "#workflow-kit/text";
import type { GradeRubricInput } from "../inputs/judging";

/** @param outcome `graded`: a point counts as far as its words stand in the answer; `full`; `nothing` */
export function mockRubric({ answer, rubric }: GradeRubricInput, outcome: string) {
  const said = new Set(wordsOf(answer));
  return {
    grades: rubric.map(({ text, points }, index) => {
      const words = wordsOf(text);
      const share = words.filter((word) => said.has(word)).length / Math.max(1, words.length);
      const earned = { full: points, nothing: 0 }[outcome] ?? Math.round(points * share * 100) / 100;
      return {
        point: `P${index + 1}`,
        reason: `Of the words of "${quoted(text, 80)}", ${Math.round(share * 100)} % stand in the answer; the mock model counts words.`,
        points: earned,
      };
    }),
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
