import { z } from "zod";

export const healthSchema = z
  .strictObject({ status: z.enum(["ok", "unavailable"]), version: z.string() })
  .meta({ id: "Health" });
export type Health = z.infer<typeof healthSchema>;
