/** Modules that replace packages in the Worker replace them in these tests too. */
import { z as zOfOpenApi } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { z } from "zod";

it("zod has no locales but the English messages, and the API's schemas are made with the same zod", () => {
  expect(z.locales).toBeUndefined();
  expect(zOfOpenApi).toBe(z);
  expect(z.string().safeParse(1).error?.issues[0]?.message).toBe("Invalid input: expected string, received number");
});

it("zod has every function and class that the code names", () => {
  const sources = {
    ...import.meta.glob("../../../src/**/*.ts", { query: "?raw", import: "default", eager: true }),
    ...import.meta.glob("../../../workflows/**/*.ts", { query: "?raw", import: "default", eager: true }),
  } as Record<string, string>;
  const values = Object.values(sources).flatMap((text) => [...text.matchAll(/\bz\.([a-z]\w*)\(/g)]);
  const named = new Set(values.map(([, name]) => name!));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => !(name in z))).toEqual([]);
});
