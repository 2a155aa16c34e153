/** Ids remembered of each prefix: the newest. */
const MAX_COUNT = 100;

const ID = /\b(run|art|int|evt|whe|del|agt|cor|dst|doc|upl|key|tpl|sch)_[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;

/** Known ids of existing resources by prefix, with tokens of callback URLs and cursors. */
export class Pool {
  #known: Map<string, string[]> = new Map();
  /** The parent of an id: the run of an artifact, the corpus of a document. */
  #parents: Map<string, string> = new Map();
  readonly protectedIds: Set<string>;

  /** @param protectedIds ids that no request may use, such as those of the keys that requests carry */
  constructor(protectedIds: Set<string> = new Set()) {
    this.protectedIds = protectedIds;
  }

  /**
   * Remembers every id in the body of a response.
   * @param type of the body
   */
  learn(text: string, type: string = "application/json") {
    for (const [id, prefix] of text.matchAll(ID)) this.#add(prefix as string, id);
    for (const [, token] of text.matchAll(/\/v1\/callbacks\/([\w.~-]+)/g)) this.#add("token", token as string);
    for (const [, cursor] of text.matchAll(/"next_cursor":"([^"]+)"/g)) this.#add("cursor", cursor as string);
    if (type !== "application/json") return;
    const { data, ...resource } = JSON.parse(text);
    for (const { id, run_id, corpus_id } of [resource, ...(Array.isArray(data) ? data : [])])
      if (id && (run_id ?? corpus_id)) this.#parents.set(id, run_id ?? corpus_id);
  }

  #add(prefix: string, id: string) {
    if (this.protectedIds.has(id)) return;
    const known = this.#known.get(prefix) ?? [];
    if (!known.includes(id)) this.#known.set(prefix, [...known, id].slice(-MAX_COUNT));
  }

  /** Forgets a deleted id. */
  forget(id: string) {
    const prefix = id.slice(0, id.indexOf("_"));
    this.#known.set(
      prefix,
      (this.#known.get(prefix) ?? []).filter((other) => other !== id),
    );
  }

  /** The nth known id of a prefix, modulo their number; undefined when none is known. */
  pick(prefix: string, nth: number) {
    const known = this.#known.get(prefix) ?? [];
    return known[nth % known.length];
  }

  /** The parent of an id, if known. */
  parentOf = (id: string) => this.#parents.get(id);
}
