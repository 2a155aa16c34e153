/** NDJSON of uploads: lines are complete however the body is cut, and counted from 1. */
import { describe, expect, it } from "vitest";
import { completeLines, parseLines } from "#services/fields/json-lines";

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const judge = (json: unknown, size: number) =>
  json === 0 ? { errors: [{ path: "", code: "zero", message: "No zero." }] } : { value: [json, size] };

describe("completeLines", () => {
  const text = '{"a":"é🙂"}\r\n\n[1,\t2]\n"last, without an end"';
  it.each([1, 2, 3, 7, 1000])("gives the same lines of chunks of %i bytes", async (size) => {
    const blocks = await Array.fromAsync(completeLines(inChunks(Buffer.from(text), size)));
    for (const block of blocks.slice(0, -1)) expect(block.at(-1)).toBe(10);
    expect(Buffer.concat(blocks).toString()).toBe(text);
  });

  it("copies what it holds back: a caller may use its chunk again", async () => {
    const chunk = new Uint8Array(4);
    const reused = async function* () {
      for (const part of ["ab", "cd\n", "ef"]) {
        const bytes = Buffer.from(part);
        chunk.set(bytes);
        yield chunk.subarray(0, bytes.length);
      }
    };
    expect(Buffer.concat(await Array.fromAsync(completeLines(reused()))).toString()).toBe("abcd\nef");
  });

  it("gives nothing of an empty body", async () => {
    expect(await Array.fromAsync(completeLines(inChunks(new Uint8Array(), 1)))).toEqual([]);
  });
});

it("parseLines counts blank lines, leaves them out, and gives each line its size", () => {
  const parsed = parseLines(Buffer.from('\n1\r\n  \n0\n"é"\n{'), { first: 11, atStart: false }, judge);
  expect(parsed).toEqual([
    { line: 12, value: [1, 1] },
    { line: 14, errors: [{ path: "", code: "zero", message: "No zero." }] },
    { line: 15, value: ["é", 4] },
    { line: 16, errors: [expect.objectContaining({ code: "malformed_json" })] },
  ]);
});
