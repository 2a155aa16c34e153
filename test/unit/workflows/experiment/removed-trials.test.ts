import { expect, test } from "vitest";
import type { Context } from "#workflows/experiment/context";
import { analyse } from "#workflows/experiment/rules/analysis";
import { type EndedTrial, withOutputs } from "#workflows/experiment/stages/ended-trials";
import { experiment, measure, trial, variant } from "./samples";

test("a trial whose run was removed before it was scored is no wrong answer", async () => {
  const ended = [
    {
      planned: { key: "a/q2/0", variant: { name: "a", workflow: "plain" }, item: { id: "q2" }, repetition: 0 },
      end: { run_id: "run_2", status: "completed", error: null, reused: true },
    },
  ] as unknown as EndedTrial[];
  const context = { run: { children: { outcomes: async () => [] } } } as unknown as Context;
  const [removed] = await withOutputs(context, ended);
  expect(removed).toMatchObject({ status: "canceled", error: { code: "not_found" } });
  const { results, missing, trials } = analyse(
    experiment({
      variants: [variant("a")],
      measures: [measure("accuracy")],
      results: [
        trial({ variant: "a", item: "q1", scores: { accuracy: 1 } }),
        trial({ variant: "a", item: "q2", status: removed!.status, scores: {} }),
      ],
    }),
  );
  expect(results).toMatchObject([{ n: 1, mean: 1 }]);
  expect(trials).toMatchObject({ failed: 1, left_out: 1 });
  expect(missing.join(" ")).toContain("canceled");
});
