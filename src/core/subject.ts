/** An object of one tenant, by which the tenant is found: an object's id, or a key's hash. */
export interface Subject {
  kind: "key_hash" | "run" | "interaction" | "endpoint" | "corpus";
  id: string;
}
