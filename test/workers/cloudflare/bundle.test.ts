/** Modules that replace packages in the Worker replace them in these tests too. */
import { z as zOfOpenApi } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { z } from "zod";

it("zod has no locales but the English messages, and the API's schemas are made with the same zod", () => {
  expect(z.locales).toBeUndefined();
  expect(zOfOpenApi).toBe(z);
  expect(z.string().safeParse(1).error?.issues[0]?.message).toBe("Invalid input: expected string, received number");
});
