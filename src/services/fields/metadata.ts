import { z } from "zod";

/** Entries of the metadata of a resource, and of a filter by metadata. */
export const MAX_METADATA = 16;

export const hasFewEntries = (metadata: Record<string, string>): boolean =>
  Object.keys(metadata).length <= MAX_METADATA;

export const metadataSchema = z
  .record(
    z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "Use 1 to 64 letters, digits, `_`, `.` and `-`."),
    z.string().max(500),
  )
  .refine(hasFewEntries, `At most ${MAX_METADATA} entries.`)
  .describe(`Your own data about the resource. At most ${MAX_METADATA} entries.`);
