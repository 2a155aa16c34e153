import { createHash } from "node:crypto";
import { newId } from "#core/ids";
import type { NewDocument } from "#store/documents";
import type { DocumentRequest } from "./requests";

/**
 * A document as it is stored.
 * @param language of documents that do not say theirs
 */
export function newDocument({ text, metadata, ...fields }: DocumentRequest, language: string | null): NewDocument {
  const kept = { ...fields, language: fields.language ?? language, metadata: JSON.stringify(metadata) };
  const digest = createHash("sha256")
    .update(JSON.stringify([kept, text]))
    .digest("hex");
  return { ...kept, id: newId("doc"), digest, text };
}
