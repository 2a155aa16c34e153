import { z } from "@hono/zod-openapi";
import { SCOPES } from "#core/vocabulary";
import { id, time } from "#services/fields/schema";
import { modeSchema } from "#services/fields/schema";

const name = z.string().trim().min(1).max(100);
const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .refine((given) => new Set(given).size === given.length, "Name each scope once.")
  .openapi({ description: "`admin` implies the others." });

const shown = {
  object: z.literal("key"),
  id: id("key"),
  name: z.string(),
  mode: modeSchema,
  scopes: z.array(z.enum(SCOPES)),
  hint: z.string().openapi({ description: "Its last four characters." }),
  created_at: time,
  last_used_at: time.nullable().openapi({ description: "To the minute." }),
  revoked_at: time.nullable(),
};

export const keySchema = z.strictObject(shown).openapi("Key");

export const createdKeySchema = z
  .strictObject({ ...shown, key: z.string().openapi({ description: "The key itself. It is shown this once." }) })
  .openapi("CreatedKey");

export const createKeySchema = z
  .strictObject({ name, mode: modeSchema, scopes: scopes.default(["runs:read", "runs:write"]) })
  .openapi("CreateKey");

export const updateKeySchema = z
  .strictObject({ name: name.optional(), scopes: scopes.optional() })
  .refine((change) => change.name !== undefined || change.scopes !== undefined, "Give name or scopes, or both.")
  .openapi("UpdateKey");
