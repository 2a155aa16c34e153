/** The form of the page at a callback URL for feedback: at a review step, and with additions. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { consultationSchema, feedbackSchema } from "#engine/people/answer-schemas";
import { exclusive } from "#workflow-kit/exclusive";
import { writeReqDraft } from "#workflows/requirements/actions/index";
import { tenantOfFile } from "../support/runs";
import { elementsOf, errorsAt, filledIn, getPage, postPage, textOf } from "./page";
import { ask, makeArtifact, opened, waitingRun } from "./questions";

const client = tenantOfFile();
let run: string;
beforeAll(async () => {
  run = await waitingRun(client);
});

const DRAFT = "# Draft\n\nThe library **lends** tools.\n";

async function reviewStep(
  content: unknown = DRAFT,
  schema: object = feedbackSchema(writeReqDraft as any),
  type?: string,
) {
  const artifact = await makeArtifact(client, run, content, type);
  const asked = { kind: "feedback" as const, prompt: "Please read.", questions: [], answer_schema: schema };
  return opened(client, await ask(run, asked, { artifacts: [artifact] }));
}

describe("a review step", () => {
  it.each([
    ["approve", {}],
    ["reject", { comment: "No." }],
    ["revise", { comment: "Say who repairs them." }],
  ])(
    "takes the decision %s; the text that was shown for editing and not changed is no edit",
    async (decision, more) => {
      const asked = await reviewStep(`${DRAFT}\r\nA line with <b>&amp;\n`);
      const { body } = await getPage(asked.path);
      const shown = filledIn(body);
      expect(shown.edited_content![0]).toContain("The library **lends** tools.");
      expect((await postPage(asked.path, { ...shown, decision, ...more })).status).toBe(200);
      expect((await asked.now()).answer).toEqual({ decision, ...more });
    },
  );

  it("takes an edited text", async () => {
    const asked = await reviewStep();
    const reply = await postPage(asked.path, {
      decision: "approve",
      edited_content: "# Draft\r\n\r\nIt sells them.\r\n",
    });
    expect(reply.status).toBe(200);
    expect((await asked.now()).answer).toEqual({ decision: "approve", edited_content: "# Draft\n\nIt sells them.\n" });
  });

  it("keeps an empty first line of the edited text", async () => {
    const asked = await reviewStep("\n\nfirst");
    expect(
      (await postPage(asked.path, { ...filledIn((await getPage(asked.path)).body), decision: "approve" })).status,
    ).toBe(200);
    expect((await asked.now()).answer).toEqual({ decision: "approve" });
  });

  it("asks for the comment that a revision needs, and keeps the edit", async () => {
    const { path } = await reviewStep();
    const { status, body } = await postPage(path, { decision: "revise", edited_content: "My words" });
    expect(status).toBe(422);
    expect(errorsAt(body)).toEqual({ comment: "Say what to change." });
    expect(filledIn(body)).toMatchObject({ decision: ["revise"], edited_content: ["My words"] });
  });

  it("asks for a decision", async () => {
    const { status, body } = await postPage((await reviewStep()).path, {});
    expect(status).toBe(422);
    expect(errorsAt(body)).toEqual({ decision: "Choose one of the options." });
  });

  /** Free keys have no form. */
  const stories = feedbackSchema({ output: z.record(z.string(), z.array(z.string())) } as any);

  it("accepts edited JSON, and ignores changes of its layout only", async () => {
    const one = await reviewStep({ stories: ["a", "b"] }, stories);
    const shown = filledIn((await getPage(one.path)).body);
    expect(JSON.parse(shown.edited_content![0]!)).toEqual({ stories: ["a", "b"] });
    await postPage(one.path, { decision: "approve", edited_content: '{"stories":["a","b"]}' });
    expect((await one.now()).answer).toEqual({ decision: "approve" });

    const other = await reviewStep({ stories: ["a", "b"] }, stories);
    await postPage(other.path, { decision: "approve", edited_content: '{"stories":["c"]}' });
    expect((await other.now()).answer).toEqual({ decision: "approve", edited_content: { stories: ["c"] } });
  });

  it("shows at the field why edited JSON is invalid, and keeps it as it was typed", async () => {
    const { path } = await reviewStep({ stories: ["a"] }, stories);
    const broken = await postPage(path, { decision: "approve", edited_content: '{"stories": ["a",]}' });
    expect(broken.status).toBe(422);
    expect(errorsAt(broken.body).edited_content).toMatch(/^This is not JSON\. Unexpected token '\]'/);
    expect(filledIn(broken.body)).toMatchObject({ edited_content: ['{"stories": ["a",]}'] });
    const unfit = await postPage(path, { decision: "approve", edited_content: '{"stories": [1]}' });
    expect(errorsAt(unfit.body).edited_content).toMatch(/^stories\.0: /);
  });

  it("shows Markdown rendered, JSON as lists, and code unchanged; what is to be approved is open, however long", async () => {
    const show = async (content: unknown, type?: string) =>
      (await getPage((await reviewStep(content, undefined, type)).path)).body;
    const markdown = await show("# Title\n\n- one\n\n| a |\n|--|\n| cell |\n\n~~gone~~ https://example.org");
    expect(markdown).toContain("<li>one</li>");
    expect(markdown).toContain("<td>cell</td>");
    expect(markdown).toContain("<del>gone</del>");
    expect(markdown).toContain('href="https://example.org"');
    expect(markdown).toContain('<details class="artifact" open="">');
    expect(await show("Given x\n  When <y>", "text/x-gherkin")).toContain("<pre>Given x\n  When &lt;y&gt;</pre>");
    const svg = await show("<svg onload='alert(1)'></svg>", "image/svg+xml");
    expect(elementsOf(svg).some(({ tag }) => tag === "svg")).toBe(false);
    expect(textOf(await show({ first_name: "Ada", tags: ["x", "y"], open: true }))).toMatch(
      /First name Ada Tags x y Open Yes/,
    );
    expect(await show("word ".repeat(2000))).toContain('<details class="artifact" open="">');
    expect(textOf(await show(`- x\n\n${"> ".repeat(3000)}deep`))).toContain("is shown as it is written");
  });
});

describe("a consultation", () => {
  const additions = z.strictObject({
    note: z.string().max(2_000).optional().describe("What the judge should know."),
    side: z.enum(["for", "against"]).optional(),
    weight: z.number().int().min(1).max(5).optional(),
    public: z.boolean().optional(),
    drop: z.array(z.enum(["idea_1", "idea_2", "idea_3"])).optional(),
    topics: z.array(z.string().max(80)).max(3).optional(),
    evidence: z.array(z.strictObject({ source: z.string().max(100), text: z.string().max(5_000) })).optional(),
    other: z.record(z.string(), z.number()).optional(),
  });
  const consult = async () =>
    opened(
      client,
      await ask(run, {
        kind: "approval",
        prompt: "Before judgment.",
        questions: [],
        answer_schema: consultationSchema({ additions }),
      }),
    );

  it("asks for additions with a control for each type, by their descriptions", async () => {
    const { body } = await getPage((await consult()).path);
    const controls = Object.groupBy(
      elementsOf(body).filter(({ attributes }) => attributes.name?.startsWith("additions")),
      ({ attributes }) => attributes.name!,
    );
    const kinds = Object.entries(controls).map(([name, those]) => [
      name,
      those!.map(({ attributes, tag }) => attributes.type ?? tag).join(),
    ]);
    expect(Object.fromEntries(kinds)).toEqual({
      "additions[note]": "textarea",
      "additions[side]": "radio,radio,radio",
      "additions[weight]": "text",
      "additions[public]": "radio,radio,radio",
      "additions[drop]": "checkbox,checkbox,checkbox",
      "additions[topics]": "textarea",
      "additions[evidence][0][source]": "text",
      "additions[evidence][0][text]": "textarea",
      "additions[other]": "textarea",
    });
    expect(textOf(body)).toContain("What the judge should know.");
    expect(textOf(body)).not.toContain("Ask for changes");
  });

  it("accepts all of them; empty entries do not count", async () => {
    const asked = await consult();
    const reply = await postPage(asked.path, {
      decision: "approve",
      "additions[note]": "Mind the date.",
      "additions[side]": "against",
      "additions[weight]": "3",
      "additions[public]": "true",
      "additions[drop]": ["idea_1", "idea_3"],
      "additions[topics]": "one\r\n\r\n two ",
      "additions[evidence][0][source]": "",
      "additions[evidence][0][text]": "",
      "additions[evidence][2][source]": "BGB",
      "additions[evidence][2][text]": "§ 433",
      "additions[other]": '{"a": 1}',
    });
    expect(reply.status).toBe(200);
    expect((await asked.now()).answer).toEqual({
      decision: "approve",
      additions: {
        note: "Mind the date.",
        side: "against",
        weight: 3,
        public: true,
        drop: ["idea_1", "idea_3"],
        topics: ["one", "two"],
        evidence: [{ source: "BGB", text: "§ 433" }],
        other: { a: 1 },
      },
    });
  });

  it("accepts an answer without any", async () => {
    const asked = await consult();
    const shown = filledIn((await getPage(asked.path)).body);
    expect((await postPage(asked.path, { ...shown, decision: "reject" })).status).toBe(200);
    expect((await asked.now()).answer).toEqual({ decision: "reject" });
  });

  it("names what is both picked and dropped, and keeps what was written", async () => {
    const choosing = z.strictObject({
      pick: z.array(z.enum(["i1", "i2"])).optional(),
      drop: z.array(z.enum(["i1", "i2"])).optional(),
    });
    const answer_schema = consultationSchema({ additions: exclusive(choosing, [["pick", "drop"]]) });
    const asked = await opened(client, await ask(run, { kind: "approval", prompt: "?", questions: [], answer_schema }));
    const typed = { decision: "approve", comment: "Hm.", "additions[pick]": ["i1", "i2"], "additions[drop]": ["i1"] };
    const { status, body } = await postPage(asked.path, typed);
    expect(status).toBe(422);
    expect(errorsAt(body)).toEqual({ "additions[drop]": "i1: under both pick and drop. Choose one of the two." });
    expect(filledIn(body)).toMatchObject({ comment: ["Hm."], "additions[pick]": ["i1", "i2"] });
    expect((await asked.now()).status).toBe("open");
  });

  it("adds an entry to a list without answering, and keeps typed values", async () => {
    const asked = await consult();
    const typed = {
      "additions[note]": "Keep me",
      "additions[evidence][0][source]": "BGB",
      "additions[evidence][0][text]": "§ 433",
    };
    const { status, body } = await postPage(asked.path, { ...typed, _add: "additions[evidence]" });
    expect(status).toBe(200);
    expect(filledIn(body)).toMatchObject({
      "additions[note]": ["Keep me"],
      "additions[evidence][0][text]": ["§ 433"],
      "additions[evidence][1][source]": [""],
    });
    expect(body).not.toContain('role="alert"');
    expect((await asked.now()).status).toBe("open");
  });

  it("shows the error of a list's entry at that entry", async () => {
    const { body } = await postPage((await consult()).path, {
      decision: "approve",
      "additions[weight]": "9",
      "additions[topics]": "a\r\nb\r\nc\r\nd",
      "additions[evidence][0][source]": "BGB",
      "additions[evidence][1][source]": "HGB",
      "additions[evidence][1][text]": "§ 1",
      "additions[other]": "{",
    });
    const errors = errorsAt(body);
    expect(Object.keys(errors).toSorted()).toEqual([
      "additions[evidence][0][text]",
      "additions[other]",
      "additions[topics]",
      "additions[weight]",
    ]);
    expect(errors["additions[evidence][0][text]"]).toBe("Fill this in.");
  });

  it.each(["__proto__", "constructor", "additions[__proto__][polluted]", "additions[evidence][0][__proto__]"])(
    "refuses a field called %s",
    async (name) => {
      const asked = await consult();
      expect((await postPage(asked.path, { decision: "approve", [name]: "x" })).status).toBe(422);
      expect(({} as any).polluted).toBeUndefined();
      expect((await asked.now()).status).toBe("open");
    },
  );
});
