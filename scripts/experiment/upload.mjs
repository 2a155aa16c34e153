import "../lib/typescript.mjs";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command-error.mjs";

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
 * @param {{say: (line: string) => void, confirm?: (question: string) => Promise<void>, signal?: AbortSignal}} context `confirm` asks before embeddings
 * are paid
 * @returns {Promise<string>} id of the closed data set
 */
export async function uploadData(api, kind, { items, documents, title }, context) {
  const { say } = context;
  const corpus = documents ? await uploadCorpus(api, kind, documents, context) : null;
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

async function uploadCorpus(api, kind, documents, { say, confirm, signal }) {
  const text = lines(documents);
  const content_hash = sha256(text);
  const known = (await api.all("/v1/corpora")).find(({ metadata }) => metadata.content_hash === content_hash);
  const corpus = known ?? (await api.post("/v1/corpora", { name: `${kind.name} corpus`, metadata: { content_hash } }));
  const { id, counts, embedding_model } = corpus;
  if (counts.documents < documents.length) {
    const of = `the ${documents.length} documents of the corpus`;
    if (embedding_model)
      await confirm?.(`${embedding_model} embeds ${of} first: ${text.length} characters. Pay for it?`);
    say(`Uploading ${of} …`);
    const upload = await api.send(`/v1/corpora/${id}/documents`, text, NDJSON);
    await indexed(api, upload, { say, signal });
  }
  return id;
}

/** Waits until an upload is indexed; the server repeats what fails. @throws CommandError when documents are faulty */
async function indexed(api, { id, corpus_id }, { say, signal }) {
  for (let said = null; ;) {
    const { status, counts, faults } = await api.get(`/v1/corpora/${corpus_id}/uploads/${id}`);
    if (status === "completed" && counts.faulty === 0) return;
    if (status === "completed") {
      const named = faults.map(({ path, message }) => `\n  ${path}: ${message}`).join("");
      throw new CommandError(`${counts.faulty} documents of the corpus are faulty. Correct them:${named}`);
    }
    const { failure } = await api.get(`/v1/corpora/${corpus_id}`);
    if (failure && failure !== said) say(`The corpus is not indexed yet, and is tried again: ${failure}`);
    said = failure;
    await sleep(300, undefined, { signal });
  }
}
