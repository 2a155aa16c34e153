/** The provider receives the model and the parameters that `models` sets for a role. */
import { expect, it } from "vitest";
import { callsOf, planFromMock, planModel } from "../../support/parley";
import { setUpRuns } from "../../support/runs";

const { client, live } = setUpRuns();

it("a role is called with its model and parameters from the request, one of several by its number", async () => {
  const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
  const body = { input: { idea: "A library that lends tools", stakeholders }, options: { qa_rounds: 0 } };
  const plan = await planFromMock(client, body);
  const [one, other] = [await planModel(plan), await planModel(plan)];
  const collector = {
    temperature: 0.3,
    top_p: 0.9,
    max_output_tokens: 1234,
    frequency_penalty: 0.1,
    presence_penalty: 0.2,
    seed: 5,
  };
  const roles = { collector, stakeholder_2: other.default, modeler: { temperature: 0.7 } };
  const id = await live.start({ ...body, models: { default: one.default, roles, seed: 9 } });
  const run = await live.untilCompleted(id);
  expect(run.models.roles.collector).toMatchObject({ model: one.default, ...collector });

  const calls = await callsOf(id);
  const asked = (step: RegExp) => calls.filter((seen) => step.test(seen.step)).map(({ request }) => request as any);
  const nameOf = ({ default: name }: { default: string }) => name.slice("openai/".length);
  const [draft] = asked(/write_req_draft/);
  const { max_output_tokens, seed: _seed, ...parameters } = collector;
  expect(draft).toMatchObject({ model: nameOf(one), ...parameters, seed: expect.any(Number) });
  expect(draft.max_completion_tokens ?? draft.max_tokens).toBe(max_output_tokens);
  expect(asked(/speak_user_stories#Anna/).map(({ model }) => model)).toEqual([nameOf(one)]);
  expect(asked(/speak_user_stories#Boris/).map(({ model }) => model)).toEqual([nameOf(other)]);
  expect(asked(/extract_entity/)[0]).toMatchObject({ model: nameOf(one), temperature: 0.7 });
  const seeds = calls.map(({ request }) => (request as any).seed);
  expect(seeds.every(Number.isInteger)).toBe(true);
  expect(new Set(seeds).size).toBe(seeds.length);
});
