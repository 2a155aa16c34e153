/** The program by which an agent betters passages of an answer that was accepted. */
import { describe, expect, it } from "vitest";
import { improvingProgram } from "#workflows/waterfall/rules/wrapper";

const DRAFT = "Take the bus. It is cheap. It is slow.";

/** Runs the program; the agent answers `answer`. */
async function improved(answer: string, draft = DRAFT): Promise<string> {
  const module = improvingProgram("Travel Planner").replace("export default", "return");
  // eslint-disable-next-line no-new-func
  const main = new Function(module)() as (agents: object, given: object) => Promise<string>;
  const agents = { call: (_name: string, _task: string, _input: object) => Promise.resolve(answer) };
  return main(agents, { requirement: "How do I get there?", context: null, revision: { draft } });
}

describe("the changed passages of an accepted answer", () => {
  it("take the place of the old ones, and nothing else changes", async () => {
    const changes = [
      { passage: "It is cheap.", instead: "It costs 2 euros." },
      { passage: " It is slow.", instead: "" },
    ];
    expect(await improved(JSON.stringify(changes))).toBe("Take the bus. It costs 2 euros.");
    expect(await improved(`\`\`\`json\n${JSON.stringify(changes)}\n\`\`\``)).toBe("Take the bus. It costs 2 euros.");
  });

  it("change nothing where the draft does not hold them exactly once", async () => {
    for (const passage of ["It is", "It is fast.", "", " "])
      expect(await improved(JSON.stringify([{ passage, instead: "X" }]))).toBe(DRAFT);
    expect(await improved("[]")).toBe(DRAFT);
    expect(await improved('[{"passage": "Take the bus.", "instead": 7}]')).toBe(DRAFT);
  });

  it("are looked up in the draft, so that a sentence can be moved and changes do not meet each other's words", async () => {
    const moved = [
      { passage: "Take the bus.", instead: "It is slow. Take the bus." },
      { passage: " It is slow.", instead: "" },
    ];
    expect(await improved(JSON.stringify(moved))).toBe("It is slow. Take the bus. It is cheap.");
    const overlapping = [
      { passage: "bus. It is cheap", instead: "tram. It is dear" },
      { passage: "is cheap.", instead: "X" },
    ];
    expect(await improved(JSON.stringify(overlapping))).toBe("Take the tram. It is dear. It is slow.");
  });

  it("keep a JSON answer JSON", async () => {
    const draft = '{"bus": 1}';
    expect(await improved('[{"passage": "1}", "instead": "2}"}]', draft)).toBe('{"bus": 2}');
    expect(await improved('[{"passage": "}", "instead": ""}]', draft)).toBe(draft);
  });

  it("that are no list fail the program, so that the accepted answer stays", async () => {
    await expect(improved("I would not change anything.")).rejects.toThrow(SyntaxError);
  });
});
