/** So many of each prefix are remembered, the newest. */
const MOST = 100;

const ID = /\b(run|art|int|evt|whe|del|agt|cor|doc|upl|key)_[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;

/** Ids of things that exist, by prefix, and tokens of callback URLs. */
export class Pool {
  /** @type {Map<string, string[]>} */
  #known = new Map();
  /** What an id stands under: the run of an artifact, the corpus of a document. @type {Map<string, string>} */
  #above = new Map();

  /** @param {Set<string>} [spared] what is to live on: the keys that requests are made with */
  constructor(spared = new Set()) {
    this.spared = spared;
  }

  /**
   * Remembers every id in an answer's body.
   * @param {string} text
   * @param {string} [type] of the body
   */
  learn(text, type = "application/json") {
    for (const [id, prefix] of text.matchAll(ID)) this.#add(prefix, id);
    for (const [, token] of text.matchAll(/\/v1\/callbacks\/([\w.~-]+)/g)) this.#add("token", token);
    for (const [, cursor] of text.matchAll(/"next_cursor":"([^"]+)"/g)) this.#add("cursor", cursor);
    if (type !== "application/json") return;
    const { data, ...one } = JSON.parse(text);
    for (const { id, run_id, corpus_id } of [one, ...(Array.isArray(data) ? data : [])])
      if (id && (run_id ?? corpus_id)) this.#above.set(id, run_id ?? corpus_id);
  }

  #add(prefix, id) {
    if (this.spared.has(id)) return;
    const known = this.#known.get(prefix) ?? [];
    if (!known.includes(id)) this.#known.set(prefix, [...known, id].slice(-MOST));
  }

  /** Forgets what was deleted. */
  forget(id) {
    const prefix = id.slice(0, id.indexOf("_"));
    this.#known.set(
      prefix,
      (this.#known.get(prefix) ?? []).filter((one) => one !== id),
    );
  }

  /** One of them; undefined where none is known. */
  pick(prefix, nth) {
    const known = this.#known.get(prefix) ?? [];
    return known[nth % known.length];
  }

  /** What an id stands under, if that is known. */
  above = (id) => this.#above.get(id);
}
