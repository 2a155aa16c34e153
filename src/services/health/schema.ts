import { z } from "zod";

export const healthSchema = z
  .strictObject({
    status: z.enum(["ok", "unavailable"]),
    version: z.string(),
    because: z
      .enum(["database", "keeper"])
      .optional()
      .describe(
        "What fails: the database does not answer, or the keeper, which repairs interrupted work, does no rounds.",
      ),
  })
  .meta({ id: "Health" });
export type Health = z.infer<typeof healthSchema>;
