import { quoted } from "#workflow-kit/text";
import type { CompareIdeasInput } from "../inputs/judging";

/** @param outcome `by_length`: the longer proposal; `first`, `second`: the one in that place */
export function mockIdeas({ topic, first, second }: CompareIdeasInput, outcome: string) {
  const longer = first.length >= second.length ? "1" : "2";
  const better = ({ first: "1", second: "2" } as const)[outcome as "first" | "second"] ?? longer;
  return {
    comparison: `On "${quoted(topic, 80)}" stand "${quoted(first, 60)}" and "${quoted(second, 60)}"; the mock model takes the longer one.`,
    better,
  } as { comparison: string; better: "1" | "2" };
}
