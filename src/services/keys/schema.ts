import { z } from "zod";
import { SCOPES } from "#core/vocabulary";
import { areUnique } from "../fields/are-unique";
import { id, modeSchema, time } from "../fields/schema";

export const keySchema = z
  .strictObject({
    object: z.literal("key"),
    id: id("key"),
    name: z.string(),
    mode: modeSchema,
    scopes: z.array(z.enum(SCOPES)),
    hint: z.string().describe("Its last four characters."),
    created_at: time,
    last_used_at: time.nullable().describe("To the minute."),
    revoked_at: time.nullable(),
  })
  .meta({ id: "Key" });
export type PresentedKey = z.infer<typeof keySchema>;

export const createdKeySchema = z
  .strictObject({ ...keySchema.shape, key: z.string().describe("The key itself, shown only in this answer.") })
  .meta({ id: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKeySchema>;

const name = z.string().trim().min(1).max(100);
const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .refine(areUnique, "Name each scope once.")
  .describe("`admin` implies the others.");

/** The body of `POST /v1/keys`. */
export const createKeySchema = z
  .strictObject({ name, mode: modeSchema, scopes: scopes.default(["runs:read", "runs:write"]) })
  .meta({ id: "CreateKey" });
export type CreateKey = z.infer<typeof createKeySchema>;

/** The body of `PATCH /v1/keys/{id}`. */
export const updateKeySchema = z
  .strictObject({ name: name.optional(), scopes: scopes.optional() })
  .refine((change) => change.name !== undefined || change.scopes !== undefined, "Give name or scopes, or both.")
  .meta({ id: "UpdateKey" });
export type UpdateKey = z.infer<typeof updateKeySchema>;
