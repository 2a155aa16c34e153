import { afterEach, expect, it, vi } from "vitest";
import { configureLog, log } from "#core/log";

const quiet = { level: "info", content: false, code_version: "1.2.3" } as const;
afterEach(() => void vi.restoreAllMocks());

/** The line that `write` logs, or undefined. */
function line(write: () => void, level: "debug" | "info" | "warn" | "error" = "info"): string | undefined {
  const spy = vi.spyOn(console, level).mockImplementation(() => {});
  write();
  return spy.mock.calls.at(-1)?.[0] as string | undefined;
}
const entry = (...args: Parameters<typeof line>) => JSON.parse(line(...args)!);

it("writes a line of JSON, with its time, its level and the version of the code", () => {
  configureLog(quiet);
  expect(entry(() => log.warn("it happened", { run_id: "run_1" }), "warn")).toEqual({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    level: "warn",
    message: "it happened",
    run_id: "run_1",
    code_version: "1.2.3",
  });
});

it("omits entries below its level", () => {
  configureLog({ ...quiet, level: "warn" });
  expect(line(() => log.info("nothing much"))).toBeUndefined();
  expect(line(() => log.error("much"), "error")).toBeDefined();
});

it("omits contents unless they are enabled", () => {
  configureLog(quiet);
  expect(entry(() => log.info("answered", { content: "the plan" }))).not.toHaveProperty("content");
  configureLog({ ...quiet, content: true });
  expect(entry(() => log.info("answered", { content: "the plan" }))).toMatchObject({ content: "the plan" });
});

it("logs an error's name, its frames and its message without quoted text", () => {
  configureLog(quiet);
  let thrown: unknown;
  try {
    JSON.parse('I am "ill" and afraid');
  } catch (error) {
    thrown = error;
  }
  const { error } = entry(() => log.error("failed", { error: thrown }), "error");
  expect(error).toMatchObject({ name: "SyntaxError", message: expect.stringContaining("is not valid JSON") });
  expect(error.stack[0]).toMatch(/^at /);
  expect(JSON.stringify(error)).not.toContain("ill");
  expect(JSON.stringify(error)).not.toContain("afraid");
});

it("removes secrets from every entry, contents included", () => {
  configureLog({ ...quiet, content: true });
  const secrets = [
    `parley_live_${"a".repeat(43)}`,
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "sk-proj-abcdefghijklmnop",
    `int_01KA9VR4T5M6N7P8Q9R0S1T2V3.${"b".repeat(43)}`,
    "Bearer abcdefghijklmnop",
  ];
  const written = line(() => log.info(secrets[0]!, { content: secrets, error: new Error(secrets[1]) }))!;
  for (const secret of secrets) expect(written).not.toContain(secret.slice(-12));
  expect(written).toContain("int_01KA9VR4T5M6N7P8Q9R0S1T2V3.…");
});

it("keeps words that only resemble the beginning of a secret", () => {
  configureLog(quiet);
  expect(entry(() => log.info("task-management of desk-bookings")).message).toBe("task-management of desk-bookings");
});
