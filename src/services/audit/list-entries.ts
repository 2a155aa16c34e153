import type { Page } from "#core/page";
import type { AuditFilter } from "#store/audit";
import type { AuditRow } from "#store/rows";
import type { PageRequest } from "../fields/page-request";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { PresentedEntry } from "./schema";

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
