import { z } from "zod";
import { id, time } from "../fields/schema";

export const tenantSchema = z
  .strictObject({ object: z.literal("tenant"), id: id("ten"), name: z.string(), created_at: time })
  .meta({ id: "Tenant" });
export type PresentedTenant = z.infer<typeof tenantSchema>;
