import "../lib/typescript.mjs";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, EXIT } from "./command-error.mjs";

const { canonicalJson } = await import("#workflow-kit/canonical-json");
const { itemSchema } = await import("#workflow-kit/datasets");

/** Characters of one upload of items; the server takes 8 MiB. */
const LARGEST_PART = 2_000_000;
const NDJSON = "application/x-ndjson";
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/**
 * The id of the data set with these items, and of their corpus: uploaded, or found where the same content was uploaded before.
 * @param {ReturnType<typeof import("../lib/api.mjs").connect>} api
 * @param {import("./kinds.mjs").Kind} kind
 * @param {import("./data.mjs").LoadedData} data
 * @param {{say: (line: string) => void, signal?: AbortSignal}} context
 * @returns {Promise<string>} id of the closed data set
 */
export async function uploadData(api, kind, { items, documents, title }, { say, signal }) {
  const corpus = documents ? await uploadCorpus(api, kind, documents, { say, signal }) : null;
  const searched = corpus ? items.map((item) => ({ ...item, input: { ...item.input, corpus_ids: [corpus] } })) : items;
  const known = await knownDataset(api, kind, searched);
  if (known) return known;
  say(`Uploading ${items.length} items …`);
  const { id } = await api.post("/v1/datasets", { name: title, workflow: kind.workflow });
  try {
    for (const part of partsOf(searched)) await api.send(`/v1/datasets/${id}/items`, part, NDJSON);
    await api.post(`/v1/datasets/${id}/close`, {});
  } catch (error) {
    await api.remove(`/v1/datasets/${id}`).catch(() => undefined); // the first error says why
    throw error;
  }
  return id;
}

/** The closed data set whose version these items have. Items that the schema refuses have none: the server names their faults. */
async function knownDataset(api, { workflow }, items) {
  const parsed = items.map((item) => itemSchema.safeParse(item));
  if (!parsed.every(({ success }) => success)) return null;
  const hash = sha256(parsed.map(({ data }) => `${canonicalJson(data)}\n`).join(""));
  const [known] = await api.all(`/v1/datasets?content_hash=${hash}&workflow=${workflow}&status=closed`);
  return known?.id ?? null;
}

function partsOf(items) {
  const parts = [""];
  for (const item of items) {
    const line = lines([item]);
    if (parts.at(-1) !== "" && parts.at(-1).length + line.length > LARGEST_PART) parts.push("");
    parts[parts.length - 1] += line;
  }
  return parts;
}

async function uploadCorpus(api, kind, documents, { say, signal }) {
  const text = lines(documents);
  const content_hash = sha256(text);
  const known = (await api.all("/v1/corpora")).find(({ metadata }) => metadata.content_hash === content_hash);
  const { id, counts } =
    known ?? (await api.post("/v1/corpora", { name: `${kind.name} corpus`, metadata: { content_hash } }));
  if (counts.documents < documents.length) {
    say(`Uploading the ${documents.length} documents of the corpus …`);
    const upload = await api.send(`/v1/corpora/${id}/documents`, text, NDJSON);
    await indexed(api, `/v1/corpora/${id}/uploads/${upload.id}`, signal);
  }
  return id;
}

/** Waits until an upload is indexed. @throws CommandError when documents are faulty */
async function indexed(api, path, signal) {
  for (;;) {
    const { status, counts, faults } = await api.get(path);
    if (status === "completed" && counts.faulty === 0) return;
    if (status === "completed") {
      const named = faults.map(({ path: place, message }) => `\n  ${place}: ${message}`).join("");
      throw new CommandError(`${counts.faulty} documents of the corpus are faulty. Correct them:${named}`, EXIT.usage);
    }
    await sleep(300, undefined, { signal });
  }
}
