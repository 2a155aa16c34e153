import { expect, test } from "vitest";
import { costTable } from "../../../scripts/trace/costs.ts";

const usage = (llm_calls: number, input_tokens: number, cached_input_tokens: number, output_tokens: number) => ({
  llm_calls,
  input_tokens,
  cached_input_tokens,
  output_tokens,
  reasoning_tokens: 100,
  cost_usd: null,
});

test("what a run costs: a line for each action, and the whole run, whose usage may be more than that of its steps", () => {
  const usage_by_action = [
    { action: "propose_question", steps: 2, usage: usage(3, 1500, 400, 250) },
    { action: "write_srs", steps: 1, usage: usage(1, 9000, 0, 3000) },
  ];
  expect(costTable({ usage_by_action }, usage(5, 10_600, 400, 3250)).split("\n")).toEqual([
    "| Action | Steps | Calls | Tokens in | of these cached | Tokens out | of these reasoning |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    "| `propose_question` | 2 | 3 | 1,500 | 400 | 250 | 100 |",
    "| `write_srs` | 1 | 1 | 9,000 | 0 | 3,000 | 100 |",
    "| **The run** | 3 | 5 | 10,600 | 400 | 3,250 | 100 |",
  ]);
});
