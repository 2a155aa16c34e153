/** Something that the system is to do: for somebody, by itself (`actor` is null), or only described (`statement`). */
export interface Feature {
  actor: string | null;
  /** A verb phrase such as "borrow a book", or a whole statement. */
  does: string;
  statement?: boolean;
}
