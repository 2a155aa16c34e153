import { describe, expect, test } from "vitest";
import { collectMetadata } from "#api/http/metadata-filter";
import { readCursor, toListResponse } from "#api/http/pages";
import { idPattern, newId } from "#core/ids";

describe("cursors", () => {
  const id = newId("run");
  const cursor = toListResponse("runs", { rows: [], next: id }).next_cursor!;

  test("decode to the entry that they were made from", () => {
    expect(readCursor("runs", idPattern("run"), cursor)).toBe(id);
    expect(readCursor("runs", idPattern("run"), undefined)).toBeNull();
    expect(toListResponse("runs", { rows: [1], next: null })).toEqual({ data: [1], next_cursor: null });
  });

  test.each([
    ["another list's", "artifacts", cursor],
    ["one with a change", "runs", cursor.slice(0, -1)],
    ["one with padding", "runs", `${cursor}==`],
    ["a bare id", "runs", id],
    ["an id of another kind", "runs", toListResponse("runs", { rows: [], next: newId("art") }).next_cursor!],
    ["nothing", "runs", ""],
  ])("refuse %s", (_, list, text) => {
    expect(() => readCursor(list, idPattern("run"), text)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
  });
});

test("metadata[key] parameters are collected, and malformed ones kept, so that they are refused", () => {
  expect(collectMetadata({ limit: "5", "metadata[a.b]": "1", "metadata[c-d]": "2" })).toEqual({
    limit: "5",
    metadata: { "a.b": "1", "c-d": "2" },
  });
  expect(collectMetadata({ "metadata[]": "1", "metadata[a": "2", "metadata[a][b]": "3" })).toEqual({
    "metadata[]": "1",
    "metadata[a": "2",
    "metadata[a][b]": "3",
  });
  expect(collectMetadata({ limit: "5" })).toEqual({ limit: "5" });
});
