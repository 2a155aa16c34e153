/** A body with very many errors gets an answer of bounded size. */
import { expect, it } from "vitest";
import { call, makeTenant } from "../support/parley";
import { startBody } from "./api";

it("an answer names at most 100 errors, says how many there are, and clips long names", async () => {
  const { test: key } = await makeTenant();
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, 1]));
  const many = await call("POST", "/v1/runs", { key, body: { ...startBody(), ...unknown } });
  expect(many).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect(many.body.errors).toHaveLength(100);
  expect(many.body.detail).toContain("And 19997 more, see `errors` for the first 100.");

  const long = await call("POST", "/v1/runs", { key, body: { ...startBody(), ["x".repeat(300_000)]: 1 } });
  expect(long.status).toBe(422);
  expect(JSON.stringify(long.body).length).toBeLessThan(2000);
});
