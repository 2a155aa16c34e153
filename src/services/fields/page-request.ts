/** A page of a tenant's list; `after` is the entry to continue behind, null for the first page. */
export interface PageRequest {
  tenant: string;
  limit: number;
  after: string | null;
}
