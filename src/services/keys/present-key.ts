import { toTime, toTimeOrNull } from "../fields/time";
import type { KeyRow } from "#store/rows";
import type { Mode, Scope } from "#core/vocabulary";
import { scopesOf } from "./authenticate";

export interface PresentedKey {
  object: "key";
  id: string;
  name: string;
  mode: Mode;
  scopes: Scope[];
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** Shows a key without its text, which we do not have. */
export const presentKey = (row: KeyRow): PresentedKey => ({
  object: "key",
  id: row.id,
  name: row.name,
  mode: row.mode,
  scopes: scopesOf(row),
  hint: row.hint,
  created_at: toTime(row.created_at),
  last_used_at: toTimeOrNull(row.last_used_at),
  revoked_at: toTimeOrNull(row.revoked_at),
});
