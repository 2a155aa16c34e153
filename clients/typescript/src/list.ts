/** A page of a list, as the API answers it. Short lists have no cursor. */
interface Page {
  data: unknown[];
  next_cursor?: string | null;
}

/** A list: `for await` reads all its entries, page after page; `page` reads one page. */
export class List<P extends Page> implements AsyncIterable<P["data"][number]> {
  readonly #read: (cursor?: string) => Promise<P>;

  constructor(read: (cursor?: string) => Promise<P>) {
    this.#read = read;
  }

  /** The page of the query, with `next_cursor` for the next one. */
  page(): Promise<P> {
    return this.#read();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<P["data"][number]> {
    for (let page = await this.#read(); ; page = await this.#read(page.next_cursor)) {
      for (const entry of page.data as P["data"][number][]) yield entry;
      if (!page.next_cursor) return;
    }
  }

  /** All entries. */
  async all(): Promise<P["data"]> {
    const entries: P["data"] = [];
    for await (const entry of this) entries.push(entry);
    return entries;
  }
}
