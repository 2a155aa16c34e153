/** What belongs to one tenant and names it: an object by its id, or a key by its hash. */
export interface Subject {
  kind: "key_hash" | "run" | "interaction" | "endpoint" | "corpus";
  id: string;
}
