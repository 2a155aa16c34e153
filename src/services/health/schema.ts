import { z } from "zod";

export const healthSchema = z
  .strictObject({
    status: z.enum(["ok", "unavailable"]),
    version: z.string(),
    because: z
      .enum(["database", "maintenance"])
      .optional()
      .describe(
        "What fails: the database does not answer, or the maintenance worker, which repairs interrupted work, does not run.",
      ),
  })
  .meta({ id: "Health" });
export type Health = z.infer<typeof healthSchema>;
