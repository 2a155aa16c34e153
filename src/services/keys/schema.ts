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
    workflows: z.array(z.string()).nullable().describe("Workflows that it is bound to; null: all."),
    hint: z.string().describe("Its last four characters."),
    created_at: time,
    last_used_at: time.nullable().describe("To the minute."),
    expires_at: time.nullable().describe("null: never."),
    revoked_at: time.nullable(),
    rolled_to: id("key").nullable().describe("The key that replaces it."),
  })
  .meta({ id: "Key" });
export type PresentedKey = z.infer<typeof keySchema>;

export const createdKeySchema = z
  .strictObject({ ...keySchema.shape, key: z.string().describe("The key itself, shown only in this answer.") })
  .meta({ id: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKeySchema>;

/** An admin key could make itself a key without bounds. */
export const BOUND_ADMIN = "A key with the scope admin cannot be bound to workflows.";

const name = z.string().trim().min(1).max(100);
const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .refine(areUnique, "Name each scope once.")
  .describe("`admin` implies the others.");

const expiresAt = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), "It must be in the future.")
  .describe("RFC 3339; from then on the key is refused with 401 `key_expired`. By default a key does not expire.");

const workflows = z
  .array(z.string())
  .min(1)
  .max(20)
  .refine(areUnique, "Name each workflow once.")
  .describe(
    "Binds the key to these workflows: it starts, sees and changes only their runs and interactions, reads workflows, agents, corpora, " +
      "data sets and the tenant, and reaches nothing else. By default a key is bound to none and reaches all.",
  );

/** The body of `POST /v1/keys`. */
export const createKeySchema = z
  .strictObject({
    name,
    mode: modeSchema,
    scopes: scopes.default(["runs:read", "runs:write"]),
    expires_at: expiresAt.optional(),
    workflows: workflows.optional(),
  })
  .refine((key) => !key.workflows || !key.scopes.includes("admin"), {
    path: ["workflows"],
    message: BOUND_ADMIN,
  })
  .meta({ id: "CreateKey" });
export type CreateKey = z.infer<typeof createKeySchema>;

/** The body of `POST /v1/keys/{id}/roll`. */
export const rollKeySchema = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(7 * 24 * 60 * 60)
      .default(24 * 60 * 60)
      .describe("How long the replaced key is still valid, 7 days at most; 0 when it has leaked."),
  })
  .meta({ id: "RollKey" });
export type RollKey = z.infer<typeof rollKeySchema>;

/** The body of `PATCH /v1/keys/{id}`. */
export const updateKeySchema = z
  .strictObject({ name: name.optional(), scopes: scopes.optional() })
  .refine((change) => change.name !== undefined || change.scopes !== undefined, "Give name or scopes, or both.")
  .meta({ id: "UpdateKey" });
export type UpdateKey = z.infer<typeof updateKeySchema>;
