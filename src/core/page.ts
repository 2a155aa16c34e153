/** A page of a list: `next` is the key to continue after, null on the last page. */
export interface Page<Row> {
  rows: Row[];
  next: string | null;
}
