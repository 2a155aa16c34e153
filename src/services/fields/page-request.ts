import type { Owner } from "#core/owner";

/** A page of an owner's list; `after` is the entry to continue behind, null for the first page. */
export interface PageRequest {
  owner: Owner;
  limit: number;
  after: string | null;
}
