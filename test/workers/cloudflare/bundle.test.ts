/** The Worker has one zod: schemas of the API and of workflows could not be combined otherwise. */
import { z as zOfOpenApi } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { z } from "zod";

it("the API's schemas are made with the same zod", () => {
  expect(zOfOpenApi).toBe(z);
});
