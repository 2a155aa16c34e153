import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/wrangler.mjs";
import { CommandError } from "./command-error.mjs";
import { jsonLines } from "./files.mjs";

/** Our own samples. */
const SAMPLES = join(ROOT, "datasets");

/**
 * @typedef {import("./kinds.mjs").Data & {title: string, source: string, is_sample: boolean}} LoadedData `title`: the set's name; `source`: one line for people
 */

/**
 * Items of a kind: from a folder in our form or in the publishers' layout, by default our sample.
 * @param {import("./kinds.mjs").Kind} kind
 * @param {string} [folder]
 * @returns {LoadedData}
 * @throws CommandError when the folder holds no such set
 */
export function loadData(kind, folder) {
  if (folder === undefined) {
    const sample = inOurForm(kind, SAMPLES);
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
function inOurForm({ name }, folder) {
  const items = jsonLines(folder, `${name}.ndjson`);
  if (!items) return null;
  if (items.length === 0) throw new CommandError(`${join(folder, `${name}.ndjson`)} is empty. Write an item a line.`);
  const documents = jsonLines(folder, `${name}-corpus.ndjson`);
  return documents ? { items, documents } : { items };
}
