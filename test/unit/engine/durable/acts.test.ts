import { expect, it } from "vitest";
import { Acts } from "#engine/durable/acts";
import type { Instance } from "#engine/instance/instance";
import type { Stages } from "#engine/durable/stages";
import { workflows } from "#workflows/index";

const stages = { currentVisit: { key: { stage: "s", iteration: 1, generation: 1 } } } as Stages;
const actsOf = (kinds: ConstructorParameters<typeof Acts>[2]) => new Acts({} as Instance, stages, kinds);

it("addresses an artifact of every kind of every workflow as the workflow declares", () => {
  for (const { name, kinds, actions } of Object.values(workflows)) {
    const acts = actsOf(kinds);
    for (const [kind, { send_to }] of Object.entries(kinds)) {
      const { send_to: stored } = acts.describe("act", { action: "test", kind, role: "test" }, {}, {});
      expect(stored, `${name}: ${kind}`).toEqual(send_to);
      if (kind !== "human_feedback") expect(stored.length, `${name}: ${kind}`).toBeGreaterThan(0);
    }
    for (const action of actions)
      expect(acts.describe("act", action, {}, {}).send_to).toEqual(kinds[action.kind]!.send_to);
  }
});

it("addresses an artifact to others when its maker says so", () => {
  const by = { action: "test", kind: "k", role: "human", send_to: ["reviewer"] };
  const { send_to } = actsOf({ k: { summary: "A kind.", send_to: ["all"] } }).describe("act", by, {}, {});
  expect(send_to).toEqual(["reviewer"]);
});

it("refuses a kind that the workflow does not declare", () => {
  expect(() => actsOf({}).describe("act", { action: "test", kind: "k", role: "test" }, {}, {})).toThrow(
    'no kind of artifacts "k"',
  );
});
