/** An answer or a change that meets a cancel and a retry of its run: the question is open again, and takes it. */
import { expect, it, vi } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { answerInteraction } from "#services/interactions/answer-interaction";
import { changeInteraction } from "#services/interactions/change-interaction";
import type { InteractionRow } from "#store/rows";
import type { Services } from "#services/services";
import { bindings, call, openInteraction, runWithStatus, start } from "../../support/parley";
import { tenantOfFile } from "../../support/runs";

const client = tenantOfFile();

/**
 * A question, as it was when the run had its first epoch.
 * @param method of the store, before whose first call the run is canceled; it is retried before the call returns
 */
async function questionOf(method: "answer" | "change"): Promise<{ services: Services; row: InteractionRow }> {
  const key = client.test;
  const services = composeServices(bindings);
  const run = await start(key, { options: { human_stakeholder: true } });
  const { id } = await openInteraction(key, run);
  await runWithStatus(key, run, "input_required");
  const row = (await services.store.interactions.get(id))!;
  const { interactions } = services.store;
  const real = interactions[method].bind(interactions) as (...given: unknown[]) => Promise<unknown>;
  vi.spyOn(interactions, method as "answer").mockImplementationOnce(async (...given) => {
    expect((await call("POST", `/v1/runs/${run}/cancel`, { key })).status).toBe(200);
    expect(await real(...given)).toBeNull();
    expect((await call("POST", `/v1/runs/${run}/retry`, { key })).status).toBe(200);
    await runWithStatus(key, run, "input_required");
    return null;
  });
  return { services, row };
}

const stored = ({ id }: InteractionRow) =>
  bindings.DB.prepare("SELECT * FROM interactions WHERE id = ?").bind(id).first<InteractionRow>();

it("stores the answer, and wakes the instance that waits for it now", async () => {
  const { services, row } = await questionOf("answer");
  const woken = vi.spyOn(services.platform, "sendEvent");
  const questions = JSON.parse(row.questions) as { id: string }[];
  const body = { answers: Object.fromEntries(questions.map(({ id }) => [id, "Because."])) };
  const shown = await answerInteraction(services, row, { body });
  expect(shown).toMatchObject({ id: row.id, status: "answered" });
  const { status, epoch } = (await stored(row))!;
  expect(status).toBe("answered");
  expect(epoch).toBeGreaterThan(row.epoch);
  expect(woken.mock.lastCall![0].epoch).toBe(epoch);
});

it.each([
  ["extend", { to: "extend", by: "key_1", expires_at: Date.now() + 30 * 86_400_000 }, "expires_at"],
  ["reassign", { to: "reassign", by: "key_1", name: "Ada", email: null }, "assignee_name"],
  ["withdraw", { to: "withdraw", by: "key_1" }, "withdrawn"],
] as const)("makes the change: %s", async (_, change, column) => {
  const { services, row } = await questionOf("change");
  await changeInteraction(services, row, change);
  expect((await stored(row))![column]).not.toBe(row[column]);
});
