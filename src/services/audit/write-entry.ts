import { log } from "#core/log";
import { withRetry } from "#core/retry";
import type { AuditEntry } from "#store/audit";
import type { Services } from "../services";

export type { AuditEntry } from "#store/audit";

/** Writes an entry of the audit log after what it reports. When that fails for good it is logged, with the entry. */
export async function writeEntry({ store }: Services, entry: AuditEntry): Promise<void> {
  try {
    await withRetry(() => store.audit.write(entry));
  } catch (error) {
    const { action, outcome, actor_id, object_id, request_id } = entry;
    log.error("an entry of the audit log was not written", {
      action,
      outcome,
      actor_id,
      object_id,
      request_id: request_id ?? "",
      error,
    });
  }
}
