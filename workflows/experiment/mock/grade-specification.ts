import { quoted } from "#workflow-kit/text";
import type { GradeSpecificationInput } from "../inputs/judging";

/** @param outcome `by_length`: 0 below 50 words, 2 from 500 on; `good`; `bad` */
export function mockGrades({ request, specification }: GradeSpecificationInput, outcome: string) {
  const words = specification.split(/\s+/u).filter(Boolean).length;
  const score = { good: 2, bad: 0 }[outcome] ?? (words < 50 ? 0 : words < 500 ? 1 : 2);
  const grade = (quality: string) => ({
    reason: `For "${quoted(request, 80)}" there are ${words} words; the mock model counts them and does not read for ${quality}.`,
    score,
  });
  return {
    completeness: grade("completeness"),
    correctness: grade("correctness"),
    consistency: grade("consistency"),
  };
}
