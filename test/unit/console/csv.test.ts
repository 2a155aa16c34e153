import { describe, expect, test } from "vitest";
import { parseCsv } from "../../../console/src/shared/csv";

describe("CSV in the console (RFC 4180)", () => {
  test.each<[string, string, string[][]]>([
    [
      "plain cells",
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "line feeds alone, and no end of the last line",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a comma, a quote and a line break in a quoted cell", 'a\r\n"x, ""y""\nz"\r\n', [["a"], ['x, "y"\nz']]],
    [
      "empty cells, also quoted ones",
      'a,,""\n,b,\n',
      [
        ["a", "", ""],
        ["", "b", ""],
      ],
    ],
    ["a text that looks like HTML or a formula", "<b>,=1+1\n", [["<b>", "=1+1"]]],
    ["nothing", "", []],
    [
      "rows of empty cells, but no empty line",
      'a,b\r\n,\r\n\r\n""\n',
      [
        ["a", "b"],
        ["", ""],
      ],
    ],
    ["a comma at the very end", "a,b,", [["a", "b", ""]]],
    ["a byte order mark", "\uFEFFa,b\n", [["a", "b"]]],
    ["carriage returns alone", "a\rb", [["a"], ["b"]]],
    ["a quote in a bare cell, and one that is never closed", 'a"b,c\n"d,e\nf', [['a"b', "c"], ["d,e\nf"]]],
    ["text behind a closing quote", '"a"b,c', [["ab", "c"]]],
  ])("%s", (_, text, rows) => expect(parseCsv(text)).toEqual(rows));

  test.each<[string, string, string]>([
    ["a cell of 2 MiB", `"${"x".repeat(2 ** 21)}"`, "x".repeat(2 ** 21)],
    ["a quoted cell of a million quotes that is never closed", `"${'""'.repeat(1_000_000)}`, '"'.repeat(1_000_000)],
    ["a bare cell of a million quotes", `x${'"'.repeat(1_000_000)}`, `x${'"'.repeat(1_000_000)}`],
  ])("%s is read in one pass", (_, text, cell) => expect(parseCsv(text)[0]![0] === cell).toBe(true));
});
