/** The form of the page at a callback URL: which controls it has, what they take, and what it says of faults. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { consultationSchema, feedbackSchema } from "#engine/people/answer-schemas";
import { writeReqDraft } from "#workflows/requirements/actions/index";
import { bindings, type Client, makeTenant } from "../support/parley";
import { elementsOf, faultsAt, filledIn, getPage, postPage, textOf } from "./page";
import { ask, askEverything, clarification, makeArtifact, opened, waitingRun } from "./questions";

let client: Client;
let run: string;
beforeAll(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
});

const everything = async (how?: object) => opened(client, await askEverything(run, how));

const DRAFT = "# Draft\n\nThe library **lends** tools.\n";

async function checkpoint(
  content: unknown = DRAFT,
  schema: object = feedbackSchema(writeReqDraft as any),
  type?: string,
) {
  const artifact = await makeArtifact(client, run, content, type);
  const asked = { kind: "feedback" as const, prompt: "Please read.", questions: [], answer_schema: schema };
  return opened(client, await ask(run, asked, { artifacts: [artifact] }));
}

describe("an open question", () => {
  it("is shown with who asks, until when, and a control of its type for each question", async () => {
    const { path } = await everything();
    const { body } = await getPage(path);
    const text = textOf(body);
    for (const words of [
      "Requirements engineering",
      "Elicitation",
      "Please tell.",
      "Why?",
      "How many?",
      "Public?",
      "Which?",
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/answer by \d+ \w+ \d{4} at \d\d:\d\d UTC \(9 minutes left\)/);
    const elements = await elementsOf(body);
    const controls = (name: string) => elements.filter(({ attributes }) => attributes.name === name);
    expect(controls("answers[q1]")).toMatchObject([{ tag: "textarea", attributes: { required: "" } }]);
    expect(controls("answers[q2]")).toMatchObject([
      { tag: "input", attributes: { inputmode: "decimal", required: "" } },
    ]);
    expect(controls("answers[q3]").map(({ attributes }) => attributes.value)).toEqual(["true", "false", ""]);
    expect(controls("answers[q4]").map(({ attributes }) => attributes.value)).toEqual(["red", "blue", ""]);
    for (const { attributes } of elements.filter(({ tag }) => ["textarea", "select"].includes(tag)))
      expect(
        elements.some((one) => one.attributes.for === attributes.id),
        attributes.name,
      ).toBe(true);
  });

  it("is preset with the defaults of its questions, which are sent when nothing is changed", async () => {
    const asked = await opened(
      client,
      await ask(
        run,
        clarification([
          { id: "t", text: "Name?", type: "text", required: true, default: 'A "b" <c>' },
          { id: "n", text: "Number?", type: "number", required: true, default: 0 },
          { id: "b", text: "Yes?", type: "boolean", required: true, default: false },
          {
            id: "c",
            text: "Colour?",
            type: "choice",
            choices: ["red", "blue"],
            required: true,
            default: "blue",
            dimension: "look",
          },
          { id: "m", text: "Many?", type: "choice", choices: [..."abcdefghij"], required: false, default: "c" },
        ]),
      ),
    );
    const { body } = await getPage(asked.path);
    expect(textOf(body)).toContain("Look Colour?");
    expect((await postPage(asked.path, await filledIn(body))).status).toBe(200);
    expect((await asked.now()).answer).toEqual({ answers: { t: 'A "b" <c>', n: 0, b: false, c: "blue", m: "c" } });
  });

  it("takes an answer to every type, and says what was taken", async () => {
    const asked = await everything();
    const reply = await postPage(asked.path, {
      "answers[q1]": "one\r\ntwo",
      "answers[q2]": "2.5",
      "answers[q3]": "false",
      "answers[q4]": "red",
      comment: "as agreed",
      answered_by: "Ada",
    });
    expect(reply.status).toBe(200);
    expect(textOf(reply.body)).toMatch(/Thank you .* one two .* 2\.5 .* No .* red .* as agreed Ada,/);
    expect(await asked.now()).toMatchObject({
      answer: { answers: { q1: "one\ntwo", q2: 2.5, q3: false, q4: "red" }, comment: "as agreed" },
      answered_by: "Ada",
    });
  });

  it("shows only its own artifacts, and nothing else of its run", async () => {
    await makeArtifact(client, run, "another artifact of the run");
    const artifact = await makeArtifact(client, run, "its own artifact");
    const { path } = await opened(
      client,
      await ask(run, clarification([{ id: "q", text: "?", type: "text", required: true }]), { artifacts: [artifact] }),
    );
    const { body } = await getPage(path);
    expect(body).toContain("its own artifact");
    expect(body).not.toContain("another artifact");
    expect(body).not.toContain("lends tools to neighbours");
  });

  it("says the language of what is asked when the run was told one", async () => {
    const other = await waitingRun(client);
    await bindings.DB.prepare("UPDATE runs SET input = json_set(input, '$.language', ?) WHERE id = ?")
      .bind("pt-BR", other)
      .run();
    const { path } = await opened(client, await askEverything(other));
    const elements = await elementsOf((await getPage(path)).body);
    expect(elements.find(({ attributes }) => attributes.class === "prompt")!.attributes.lang).toBe("pt-BR");
    expect(elements[0]!.attributes.lang).toBe("en");
  });
});

describe("a form with faults", () => {
  it("comes back with each fault at its control, a summary that links there, and all that was typed", async () => {
    const asked = await everything();
    const typed = {
      "answers[q1]": " ",
      "answers[q2]": "many <b>",
      "answers[q3]": "true",
      "answers[q4]": "blue",
      comment: 'Keep "this"',
      answered_by: "Ada",
    };
    const { status, body } = await postPage(asked.path, typed);
    expect(status).toBe(422);
    expect(await faultsAt(body)).toEqual({
      "answers[q1]": "Write something: blanks alone do not count.",
      "answers[q2]": "Enter a number, such as 12 or 2.5.",
    });
    expect(body).toContain("<title>Error: ");
    const elements = await elementsOf(body);
    const links = elements.filter(({ tag, attributes }) => tag === "a" && attributes.href!.startsWith("#f-"));
    expect(links).toHaveLength(2);
    for (const { attributes } of links)
      expect(elements.some((one) => `#${one.attributes.id}` === attributes.href)).toBe(true);
    const summary = elements.find(({ attributes }) => attributes.role === "alert")!;
    expect(summary.attributes).toMatchObject({ tabindex: "-1", autofocus: "" });
    expect(await filledIn(body)).toEqual(
      Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, [value]])),
    );
    expect((await asked.now()).status).toBe("open");
  });

  it("does not bring back a default that was taken out", async () => {
    const { path } = await opened(
      client,
      await ask(run, clarification([{ id: "t", text: "?", type: "text", required: true, default: "preset" }])),
    );
    const { body } = await postPage(path, { "answers[t]": "" });
    expect(await filledIn(body)).toMatchObject({ "answers[t]": [""] });
  });

  it("names a field that there is not", async () => {
    const { status, body } = await postPage((await everything()).path, {
      "answers[q1]": "a",
      "answers[q2]": "1",
      colour: "red",
    });
    expect(status).toBe(422);
    expect(textOf(body)).toContain('colour: There is no field "colour" here.');
  });
});

describe("a checkpoint", () => {
  it.each([
    ["approve", {}],
    ["reject", { comment: "No." }],
    ["revise", { comment: "Say who repairs them." }],
  ])(
    "takes the decision %s; the text that was shown for editing and not changed is no edit",
    async (decision, more) => {
      const asked = await checkpoint(`${DRAFT}\r\nA line with <b>&amp;\n`);
      const { body } = await getPage(asked.path);
      const shown = await filledIn(body);
      expect(shown.edited_content![0]).toContain("The library **lends** tools.");
      expect((await postPage(asked.path, { ...shown, decision, ...more })).status).toBe(200);
      expect((await asked.now()).answer).toEqual({ decision, ...more });
    },
  );

  it("takes an edited text", async () => {
    const asked = await checkpoint();
    const reply = await postPage(asked.path, {
      decision: "approve",
      edited_content: "# Draft\r\n\r\nIt sells them.\r\n",
    });
    expect(reply.status).toBe(200);
    expect((await asked.now()).answer).toEqual({ decision: "approve", edited_content: "# Draft\n\nIt sells them.\n" });
  });

  it("keeps an empty first line of what is edited", async () => {
    const asked = await checkpoint("\n\nfirst");
    expect(
      (await postPage(asked.path, { ...(await filledIn((await getPage(asked.path)).body)), decision: "approve" }))
        .status,
    ).toBe(200);
    expect((await asked.now()).answer).toEqual({ decision: "approve" });
  });

  it("asks for the comment that a revision needs, and keeps the edit meanwhile", async () => {
    const { path } = await checkpoint();
    const { status, body } = await postPage(path, { decision: "revise", edited_content: "My words" });
    expect(status).toBe(422);
    expect(await faultsAt(body)).toEqual({ comment: "Say what to change." });
    expect(await filledIn(body)).toMatchObject({ decision: ["revise"], edited_content: ["My words"] });
  });

  it("asks for a decision", async () => {
    const { status, body } = await postPage((await checkpoint()).path, {});
    expect(status).toBe(422);
    expect(await faultsAt(body)).toEqual({ decision: "Choose one of the options." });
  });

  const stories = feedbackSchema({ output: z.object({ stories: z.array(z.string().max(20)).min(1) }) } as any);

  it("takes edited JSON, and leaves out what was only laid out anew", async () => {
    const one = await checkpoint({ stories: ["a", "b"] }, stories);
    const shown = await filledIn((await getPage(one.path)).body);
    expect(JSON.parse(shown.edited_content![0]!)).toEqual({ stories: ["a", "b"] });
    await postPage(one.path, { decision: "approve", edited_content: '{"stories":["a","b"]}' });
    expect((await one.now()).answer).toEqual({ decision: "approve" });

    const other = await checkpoint({ stories: ["a", "b"] }, stories);
    await postPage(other.path, { decision: "approve", edited_content: '{"stories":["c"]}' });
    expect((await other.now()).answer).toEqual({ decision: "approve", edited_content: { stories: ["c"] } });
  });

  it("tells at the field where edited JSON is wrong, and keeps it as it was typed", async () => {
    const { path } = await checkpoint({ stories: ["a"] }, stories);
    const broken = await postPage(path, { decision: "approve", edited_content: '{"stories": ["a",]}' });
    expect(broken.status).toBe(422);
    expect((await faultsAt(broken.body)).edited_content).toMatch(/^This is not JSON\. Unexpected token '\]'/);
    expect(await filledIn(broken.body)).toMatchObject({ edited_content: ['{"stories": ["a",]}'] });
    const unfit = await postPage(path, { decision: "approve", edited_content: '{"stories": [1]}' });
    expect((await faultsAt(unfit.body)).edited_content).toMatch(/^stories\.0: /);
  });

  it("shows Markdown laid out, JSON as lists, and code as it is; what is long is folded", async () => {
    const show = async (content: unknown, type?: string) =>
      (await getPage((await checkpoint(content, undefined, type)).path)).body;
    const markdown = await show("# Title\n\n- one\n\n| a |\n|--|\n| cell |\n\n~~gone~~ https://example.org");
    expect(markdown).toContain("<li>one</li>");
    expect(markdown).toContain("<td>cell</td>");
    expect(markdown).toContain("<del>gone</del>");
    expect(markdown).toContain('href="https://example.org"');
    expect(markdown).toContain('<details class="artifact" open="">');
    expect(await show("Given x\n  When <y>", "text/x-gherkin")).toContain("<pre>Given x\n  When &lt;y&gt;</pre>");
    const svg = await show("<svg onload='alert(1)'></svg>", "image/svg+xml");
    expect((await elementsOf(svg)).some(({ tag }) => tag === "svg")).toBe(false);
    expect(textOf(await show({ first_name: "Ada", tags: ["x", "y"], open: true }))).toMatch(
      /First name Ada Tags x y Open Yes/,
    );
    expect(await show("word ".repeat(2000))).toContain('<details class="artifact">');
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
      (await elementsOf(body)).filter(({ attributes }) => attributes.name?.startsWith("additions")),
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

  it("takes them all; entries that were left empty do not count", async () => {
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

  it("takes none of them", async () => {
    const asked = await consult();
    const shown = await filledIn((await getPage(asked.path)).body);
    expect((await postPage(asked.path, { ...shown, decision: "reject" })).status).toBe(200);
    expect((await asked.now()).answer).toEqual({ decision: "reject" });
  });

  it("gives a list one more entry without answering, and keeps what was typed", async () => {
    const asked = await consult();
    const typed = {
      "additions[note]": "Keep me",
      "additions[evidence][0][source]": "BGB",
      "additions[evidence][0][text]": "§ 433",
    };
    const { status, body } = await postPage(asked.path, { ...typed, _add: "additions[evidence]" });
    expect(status).toBe(200);
    expect(await filledIn(body)).toMatchObject({
      "additions[note]": ["Keep me"],
      "additions[evidence][0][text]": ["§ 433"],
      "additions[evidence][1][source]": [""],
    });
    expect(body).not.toContain('role="alert"');
    expect((await asked.now()).status).toBe("open");
  });

  it("tells what is wrong in an entry of a list at that entry", async () => {
    const { body } = await postPage((await consult()).path, {
      decision: "approve",
      "additions[weight]": "9",
      "additions[topics]": "a\r\nb\r\nc\r\nd",
      "additions[evidence][0][source]": "BGB",
      "additions[evidence][1][source]": "HGB",
      "additions[evidence][1][text]": "§ 1",
      "additions[other]": "{",
    });
    const faults = await faultsAt(body);
    expect(Object.keys(faults).toSorted()).toEqual([
      "additions[evidence][0][text]",
      "additions[other]",
      "additions[topics]",
      "additions[weight]",
    ]);
    expect(faults["additions[evidence][0][text]"]).toBe("Fill this in.");
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
