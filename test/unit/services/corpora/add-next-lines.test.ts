import { expect, test } from "vitest";
import { addNextLines } from "#services/corpora/add-next-lines";
import type { CorpusInWork, UploadProgress } from "#store/corpora";
import type { NewDocument } from "#store/documents";
import type { UploadRow } from "#store/corpora";
import type { Store } from "#store/store";

/** Reads an upload to its end, step by step; each step with its documents and its progress. */
async function stepsOf(text: string) {
  const bytes = new TextEncoder().encode(text);
  const steps: { documents: readonly NewDocument[]; progress: UploadProgress }[] = [];
  const store = {
    corpora: {
      readUpload: async (_upload: UploadRow, position: number, length: number) =>
        bytes.slice(position, position + length),
      addFromUpload: async (_corpus: unknown, _upload: unknown, documents: NewDocument[], progress: UploadProgress) =>
        void steps.push({ documents, progress }),
    },
    documents: { getByExternalIds: async () => new Map() },
  } as unknown as Store;
  const upload = {
    id: "upl_1",
    position: 0,
    size: bytes.length,
    lines: 0,
    added: 0,
    unchanged: 0,
    invalid: 0,
    errors: "[]",
  };
  while (steps.length === 0 || upload.position < upload.size) {
    await addNextLines(store, { pool: 1, language: null } as CorpusInWork, upload as UploadRow);
    Object.assign(upload, steps.at(-1)!.progress);
  }
  return { steps, upload };
}

const line = (nth: number) => JSON.stringify({ text: `text ${nth}`, source: "test" });
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at)).join("\n");

test("an upload of many short lines is read in steps of at most 1,000 lines", async () => {
  const { steps, upload } = await stepsOf(lines(2500));
  expect(steps.map(({ documents }) => documents.length)).toEqual([1000, 1000, 500]);
  expect(upload).toMatchObject({ lines: 2500, added: 2500, invalid: 0 });
  expect(steps.flatMap(({ documents }) => documents.map(({ text }) => text))).toEqual(
    Array.from({ length: 2500 }, (_, at) => `text ${at}`),
  );
});

test.each([
  ["without a line feed at the end", lines(1000)],
  ["with one", `${lines(1000)}\n`],
])("exactly 1,000 lines %s are one step", async (_, text) => {
  const { steps, upload } = await stepsOf(text);
  expect(steps).toHaveLength(1);
  expect(upload.lines).toBe(1000);
});

test("a line that is longer than what is read at once is read whole", async () => {
  const { upload } = await stepsOf(`${JSON.stringify({ text: "x".repeat(600_000), source: "test" })}\n${line(2)}`);
  expect(upload).toMatchObject({ lines: 2, added: 2, invalid: 0 });
});
