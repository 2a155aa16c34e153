import { createHash } from "node:crypto";
import { newId } from "#core/ids";
import type { NewDocument } from "#store/documents";
import type { DocumentRequest } from "./requests";

/**
 * A document in the form that is stored.
 * @param language for documents that name none
 */
export function newDocument({ text, metadata, ...fields }: DocumentRequest, language: string | null): NewDocument {
  const stored = { ...fields, language: fields.language ?? language, metadata: JSON.stringify(metadata) };
  const digest = createHash("sha256")
    .update(JSON.stringify([stored, text]))
    .digest("hex");
  return { ...stored, id: newId("doc"), digest, text };
}
