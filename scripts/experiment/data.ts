import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Data, Kind } from "./kinds.ts";
import { ROOT } from "../lib/wrangler.ts";
import { CommandError } from "./command-error.ts";
import { jsonLines } from "./files.ts";

/** Our own samples. */
const SAMPLES = join(ROOT, "datasets");

/** `title`: the set's name; `source`: one line for people */
export type LoadedData = Data & { title: string; source: string; is_sample: boolean };

/**
 * Items of a kind: from a folder in our form or in the publishers' layout, by default our sample.
 * @throws CommandError when the folder holds no such set
 */
export function loadData(kind: Kind, folder?: string): LoadedData {
  if (folder === undefined) {
    const sample = inOurForm(kind, SAMPLES);
    if (!sample) throw new Error(`${SAMPLES} has no sample of ${kind.name}.`);
    return {
      ...sample,
      title: `Parley's sample ${kind.name}`,
      source: `our own sample, ${sample.items.length} items (datasets/README.md)`,
      is_sample: true,
    };
  }
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandError(`There is no folder ${folder}. Give --data the folder where the set lies.`);
  const own = inOurForm(kind, folder);
  if (own)
    return {
      ...own,
      title: `${kind.name} of your own`,
      source: `${own.items.length} items of ${folder}`,
      is_sample: false,
    };
  const { name, licence, folders, where, files } = kind.published;
  for (const place of [folder, ...folders.map((inner) => join(folder, inner))]) {
    const data = existsSync(place) ? kind.read(place) : null;
    if (data?.items.length)
      return {
        ...data,
        title: name,
        source: `${name}, ${licence}: ${data.items.length} items of ${place}`,
        is_sample: false,
      };
  }
  throw new CommandError(
    `${folder} holds no set of the kind ${kind.name}. It may hold ${kind.name}.ndjson in our form (datasets/README.md), or ${name} ` +
      `from ${where}: ${files}.`,
  );
}

/** `<kind>.ndjson` with items, and `<kind>-corpus.ndjson` with documents. */
function inOurForm({ name }: Kind, folder: string): Data | null {
  const items = jsonLines(folder, `${name}.ndjson`);
  if (!items) return null;
  if (items.length === 0) throw new CommandError(`${join(folder, `${name}.ndjson`)} is empty. Write an item a line.`);
  const documents = jsonLines(folder, `${name}-corpus.ndjson`);
  return documents ? { items, documents } : { items };
}
