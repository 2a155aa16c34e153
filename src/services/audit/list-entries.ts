import type { Page } from "#core/page";
import type { AuditFilter } from "#store/audit";
import type { AuditRow, KeyRow } from "#store/rows";
import type { PageRequest } from "../fields/page-request";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { PresentedEntry } from "./schema";

/** Newest first. A test key sees only the entries of test mode. */
export async function listEntries(
  { store }: Services,
  { key, filter, limit, after }: Omit<PageRequest, "tenant"> & { key: KeyRow; filter: AuditFilter },
): Promise<Page<PresentedEntry>> {
  if (key.mode === "test" && filter.mode === "live") return { rows: [], next: null };
  const visible = key.mode === "test" ? { ...filter, mode: key.mode } : filter;
  const { rows, next } = await store.audit.list(key.tenant_id, visible, limit, after === null ? null : Number(after));
  return { rows: rows.map(presentEntry), next };
}

export const presentEntry = ({ created_at, tenant_id: _, seq: __, ...row }: AuditRow): PresentedEntry => ({
  object: "audit_entry",
  ...row,
  created_at: toTime(created_at),
});
