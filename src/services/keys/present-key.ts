import { toTime, toTimeOrNull } from "../fields/time";
import type { KeyRow } from "#store/rows";
import { scopesOf, workflowsOf } from "./authenticate";
import type { PresentedKey } from "./schema";

/** Shows a key without its text, which is not stored. */
export const presentKey = (row: KeyRow): PresentedKey => ({
  object: "key",
  id: row.id,
  name: row.name,
  mode: row.mode,
  scopes: scopesOf(row),
  workflows: workflowsOf(row),
  hint: row.hint,
  created_at: toTime(row.created_at),
  last_used_at: toTimeOrNull(row.last_used_at),
  expires_at: toTimeOrNull(row.expires_at),
  revoked_at: toTimeOrNull(row.revoked_at),
  rolled_to: row.rolled_to,
});
