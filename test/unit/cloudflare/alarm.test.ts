import { expect, it } from "vitest";
import { workInAlarm } from "#cloudflare/alarm";

it.each([
  ["rejects", () => Promise.reject(new Error("D1_ERROR: Network connection lost."))],
  [
    "throws before it returns a promise",
    () => {
      throw new Error("Configuration: PROVIDERS is not valid JSON.");
    },
  ],
])("work that %s is done again, instead of being forgotten after the platform's few attempts", async (_, work) => {
  let alarm: number | null = null;
  const storage = {
    setAlarm: async (at: number) => void (alarm = at),
    getAlarm: async () => alarm,
    get: async () => "whe_1",
    deleteAlarm: async () => void (alarm = null),
    deleteAll: async () => {},
  };
  const state = { storage } as unknown as DurableObjectState;
  await workInAlarm(state, "endpoint", work);
  expect(alarm! - Date.now()).toBeGreaterThan(0);
  expect(alarm! - Date.now()).toBeLessThan(60_000);
});
