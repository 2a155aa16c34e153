import { hash } from "node:crypto";
import type { CreateDocument, DatasetItem, Parley } from "../lib/sdk.ts";
import type { Item, Kind } from "./kinds.ts";
import type { LoadedData } from "./data.ts";
import "../lib/typescript.ts";
import { CommandError } from "./command-error.ts";

const { canonicalJson } = await import("#workflow-kit/canonical-json");
const { itemSchema } = await import("#workflow-kit/datasets");

interface Context {
  say: (line: string) => void;
  /** asks before embeddings are paid */
  confirm?: (question: string) => Promise<void>;
  signal?: AbortSignal;
}

const sha256 = (text: string) => hash("sha256", text);
const lines = (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/**
 * The id of the data set with these items, and of their corpus: uploaded, or found where the same content was uploaded before.
 * @returns id of the closed data set
 */
export async function uploadData(
  parley: Parley,
  kind: Kind,
  { items, documents, title }: LoadedData,
  context: Context,
): Promise<string> {
  const { say } = context;
  const corpus = documents ? await uploadCorpus(parley, kind, documents, context) : null;
  const searched = corpus ? items.map((item) => ({ ...item, input: { ...item.input, corpus_ids: [corpus] } })) : items;
  const known = await knownDataset(parley, kind, searched);
  if (known) return known;
  say(`Uploading ${items.length} items …`);
  const { id } = await parley.datasets.create({ name: title, workflow: kind.workflow });
  try {
    await parley.datasets.upload({ id }, searched as DatasetItem[]);
  } catch (error) {
    await parley.datasets.delete(id).catch(() => undefined); // the first error says why
    throw error;
  }
  return id;
}

/** The closed data set whose version these items have. Items that the schema refuses have none: the server names their errors. */
async function knownDataset(parley: Parley, { workflow }: Kind, items: object[]) {
  const parsed = items.map((item) => itemSchema.safeParse(item));
  if (!parsed.every(({ success }) => success)) return null;
  const content_hash = sha256(parsed.map(({ data }) => `${canonicalJson(data)}\n`).join(""));
  const [known] = await parley.datasets.list({ content_hash, workflow, status: "closed" }).all();
  return known?.id ?? null;
}

async function uploadCorpus(parley: Parley, kind: Kind, documents: Item[], { say, confirm, signal }: Context) {
  const text = lines(documents);
  const content_hash = sha256(text);
  const known = (await parley.corpora.list().all()).find(({ metadata }) => metadata.content_hash === content_hash);
  const corpus = known ?? (await parley.corpora.create({ name: `${kind.name} corpus`, metadata: { content_hash } }));
  const { id, counts, embedding_model } = corpus;
  if (counts.documents < documents.length) {
    const of = `the ${documents.length} documents of the corpus`;
    if (embedding_model)
      await confirm?.(`${embedding_model} embeds ${of} first: ${text.length} characters. Pay for it?`);
    say(`Uploading ${of} …`);
    await index(parley, id, documents, { say, signal });
  }
  return id;
}

/**
 * Uploads documents and waits until they are indexed; the server repeats what fails.
 * @throws CommandError when documents are invalid
 */
async function index(parley: Parley, id: string, documents: Item[], { say, signal }: Context) {
  let said: string | null = null;
  const sayFailure = async () => {
    const { failure } = await parley.corpora.get(id);
    if (failure && failure !== said) say(`The corpus is not indexed yet, and is tried again: ${failure}`);
    said = failure;
  };
  const onProgress = () => void sayFailure().catch(() => {}); // the upload itself says that the server is away
  const { invalid, errors: invalidLines } = await parley.corpora.upload(id, documents as CreateDocument[], {
    signal,
    onProgress,
  });
  if (invalid === 0) return;
  const named = invalidLines.map(
    ({ line, errors }) =>
      `\n  document ${line}: ${errors.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
  );
  throw new CommandError(`${invalid} documents of the corpus are invalid. Correct them:${named.join("")}`);
}
