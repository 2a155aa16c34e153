/** A feature of the system: an actor's action, an action of the system (`actor` is null), or a whole statement (`statement`). */
export interface Feature {
  actor: string | null;
  /** A verb phrase such as "borrow a book", or a whole statement. */
  does: string;
  statement?: boolean;
}
