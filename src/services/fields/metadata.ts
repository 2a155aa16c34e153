import { z } from "zod";

/** Entries of what callers keep with a resource, and of a filter by them. */
export const MOST_METADATA = 16;

/** @returns true when there are not too many */
export const boundMetadata = (metadata: Record<string, string>): boolean =>
  Object.keys(metadata).length <= MOST_METADATA;

export const metadataSchema = z
  .record(
    z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "Use 1 to 64 letters, digits, `_`, `.` and `-`."),
    z.string().max(500),
  )
  .refine(boundMetadata, `At most ${MOST_METADATA} entries.`)
  .describe(`Yours to keep with it. At most ${MOST_METADATA} entries.`);
