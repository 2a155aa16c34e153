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
  ])("%s", (_, text, rows) => expect(parseCsv(text)).toEqual(rows));
});
