import { log } from "#core/log";
import { withRetry } from "#core/retry";
import type { AuditEntry, AuditFilter } from "#store/audit";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { AuditRow } from "#store/rows";
import type { PageRequest } from "../fields/page-request";
import { toTime } from "../fields/time";
import type { PresentedEntry } from "./schema";

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

/** Newest first. */
export async function listEntries(
  { store }: Services,
  { owner, filter, limit, after }: PageRequest & { filter: AuditFilter },
): Promise<Page<PresentedEntry>> {
  const { rows, next } = await store.audit.list(owner, filter, limit, after === null ? null : Number(after));
  return { rows: rows.map(presentEntry), next };
}

export const presentEntry = ({ created_at, tenant_id: _, seq: __, ...row }: AuditRow): PresentedEntry => ({
  object: "audit_entry",
  ...row,
  created_at: toTime(created_at),
});
