import { stream } from "hono/streaming";
import { log } from "#core/log";
import { writeEntry } from "#services/audit/audit-log";
import { auditEntry } from "./audit-entry";
import type { AppContext } from "./context";
import { aboutRequest } from "./middleware/log";

/** Typed as string: from a literal type that ends in `json` the framework would infer a JSON body. */
export const NDJSON: string = "application/x-ndjson";

/**
 * Streams an export as lines of JSON. The entry of the audit log is written before the data leaves, even if the export is cut off then.
 * @param texts whole lines @param id of what is exported; null: the tenant's data
 */
export async function streamExport(c: AppContext, texts: AsyncIterable<string>, id: string | null): Promise<Response> {
  c.header("Content-Type", NDJSON);
  await writeEntry(c.var.services, auditEntry(c, "done", id));
  return stream(c, async (body) => {
    try {
      for await (const text of texts) {
        if (body.aborted) return;
        await body.write(text);
      }
    } catch (error) {
      log.error("an export was cut off", { ...aboutRequest(c), error }); // the reader misses the end
    }
  });
}
