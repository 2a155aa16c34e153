import "../lib/typescript.ts";
import type { Row } from "../lib/database.ts";

const { passageTerms } = await import("#retrieval/terms");
const { inPool } = await import("#store/bm25");

/** The full-text index, which is made again from the passages. */
export const PASSAGES_INDEX = { name: "passages_index", columns: ["rowid", "head", "body"].map((name) => ({ name })) };

/** A function that gives the entry of a passage in the index, when it has seen the documents; null for other rows. */
export function indexing() {
  const documents = new Map<string, Parameters<typeof passageTerms>[0]>();
  return (table: string, row: Row): Row | null => {
    const { id, title, source, language, jurisdiction } = row;
    if (table === "documents") documents.set(id, { title, source, language, jurisdiction });
    // A document that is removed has passages that are about to be.
    const document = table === "passages" ? documents.get(row.document_id) : undefined;
    if (!document) return null;
    const { head, body } = passageTerms(document, row.heading, row.text);
    return { rowid: row.id, head: inPool(row.pool, head), body: inPool(row.pool, body) };
  };
}
