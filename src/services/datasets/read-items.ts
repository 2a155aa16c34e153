import { type FieldError, Problem } from "#core/errors";
import { boundedChunks } from "#core/outbound/bounded-body";
import type { NewItem } from "#store/datasets";
import { canonicalJson } from "#workflow-kit/canonical-json";
import { type DatasetItem, itemSchema } from "#workflow-kit/datasets";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { toFieldErrors, validationProblem, within } from "../fields/field-errors";
import { completeLines, countLines, type CheckLine, MAX_LISTED_ERRORS, parseLines } from "../fields/json-lines";
import { MAX_ITEM_DEPTH, MAX_ITEM_BYTES, MAX_UPLOAD_BYTES } from "./requests";

/** An item of an upload with its line, from 1. */
export interface ReadItem extends NewItem {
  line: number;
}

/**
 * Reads the lines of an upload as items of a data set. They are checked as they arrive, and reading ends when enough errors are known.
 * @param most items that the data set has room for
 * @returns null when there are more items
 * @throws Problem that lists the errors by their lines; `payload_too_large`
 */
export async function readItems(
  body: ReadableStream<Uint8Array>,
  workflow: WorkflowDefinition | undefined,
  most: number,
): Promise<ReadItem[] | null> {
  const items = new Map<string, ReadItem>();
  const errors: FieldError[] = [];
  const judge = checkItem(workflow);
  let line = 1;
  const tooLarge = () => new Problem("payload_too_large", "The upload is larger than 8 MiB. Send it in parts.");
  for await (const bytes of completeLines(boundedChunks(body, MAX_UPLOAD_BYTES, tooLarge))) {
    for (const parsed of parseLines(bytes, { first: line, atStart: line === 1 }, judge)) {
      if ("errors" in parsed) errors.push(...parsed.errors.map((fieldError) => ofLine(parsed.line, fieldError)));
      else {
        const { id: item_id } = parsed.value;
        const first = items.get(item_id);
        if (first) errors.push(duplicate(parsed.line, `Line ${first.line} has the id "${item_id}" too.`));
        else items.set(item_id, { line: parsed.line, item_id, content: canonicalJson(parsed.value) });
      }
    }
    if (errors.length >= MAX_LISTED_ERRORS) break;
    if (items.size > most) return null;
    line += countLines(bytes);
  }
  if (errors.length) throw validationProblem(errors);
  if (items.size === 0) throw new Problem("validation_failed", "The upload is empty: send one item per line.");
  return [...items.values()];
}

/** The error of an item whose id another one has. */
export const duplicate = (line: number, message: string): FieldError =>
  ofLine(line, { path: "id", code: "duplicate_item", message });

const ofLine = (line: number, fieldError: FieldError): FieldError => within(`lines.${line}`, fieldError);

/** Checks an item, and its input and options against the schemas of the workflow; unless the workflow is gone since. */
function checkItem(workflow: WorkflowDefinition | undefined): CheckLine<DatasetItem> {
  return (json, size) => {
    const fieldError = (code: string, message: string) => ({ errors: [{ path: "", code, message }] });
    if (size > MAX_ITEM_BYTES) return fieldError("too_large", `An item has at most 1 MiB; this one has ${size} bytes.`);
    if (isDeeperThan(MAX_ITEM_DEPTH, json))
      return fieldError("too_deep", `An item is nested at most ${MAX_ITEM_DEPTH} deep.`);
    const { success, data: item, error } = itemSchema.safeParse(json);
    if (!success) return { errors: toFieldErrors(error, json) };
    const input = workflow?.input.safeParse(item.input);
    const options = item.options && workflow?.options.safeParse(item.options);
    const errors = [
      ...(input?.error ? toFieldErrors(input.error, item.input).map((inner) => within("input", inner)) : []),
      ...(options?.error ? toFieldErrors(options.error, item.options).map((inner) => within("options", inner)) : []),
    ];
    return errors.length ? { errors } : { value: item };
  };
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
