/** The form of the page at a callback URL for questions: its controls, the values that they accept, and its messages about errors. */
import { beforeAll, describe, expect, it } from "vitest";
import { bindings } from "../support/parley";
import { tenantOfFile } from "../support/runs";
import { elementsOf, errorsAt, filledIn, getPage, postPage, textOf } from "./page";
import { ask, askEverything, clarification, makeArtifact, opened, waitingRun } from "./questions";

const client = tenantOfFile();
let run: string;
beforeAll(async () => {
  run = await waitingRun(client);
});

const everything = async (how?: object) => opened(client, await askEverything(run, how));

describe("an open question", () => {
  it("shows the asker, the expiry, and a control of the right type for each question", async () => {
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
    expect(text).toMatch(
      /answer by \d+ \w+ \d{4} at \d\d:\d\d UTC(?: \([A-Z][a-z]{2} \d+ \w+, \d\d:\d\d [^)]+\))? ?, 9 minutes left\./,
    );
    const elements = elementsOf(body);
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

  it("is preset with the defaults of its questions, which are sent unless they are changed", async () => {
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
    expect((await postPage(asked.path, filledIn(body))).status).toBe(200);
    expect((await asked.now()).answer).toEqual({ answers: { t: 'A "b" <c>', n: 0, b: false, c: "blue", m: "c" } });
  });

  it("accepts an answer of every type, and shows the accepted answer", async () => {
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

  it("shows only its own artifacts, and of its run what it is about", async () => {
    await makeArtifact(client, run, "another artifact of the run");
    const artifact = await makeArtifact(client, run, "its own artifact");
    const { path } = await opened(
      client,
      await ask(run, clarification([{ id: "q", text: "?", type: "text", required: true }]), { artifacts: [artifact] }),
    );
    const { body } = await getPage(path);
    expect(body).toContain("its own artifact");
    expect(body).not.toContain("another artifact");
    expect(body).toContain("lends tools to neighbours");
    expect(body).not.toContain("human_stakeholder");
  });

  it("marks its prompt with the language of the run's input, if there is one", async () => {
    const other = await waitingRun(client);
    await bindings.DB.prepare("UPDATE runs SET input = json_set(input, '$.language', ?) WHERE id = ?")
      .bind("pt-BR", other)
      .run();
    const { path } = await opened(client, await askEverything(other));
    const elements = elementsOf((await getPage(path)).body);
    expect(elements.find(({ attributes }) => attributes.class === "prompt")!.attributes.lang).toBe("pt-BR");
    expect(elements[0]!.attributes.lang).toBe("en");
  });
});

describe("a form with errors", () => {
  it("is shown again with each error at its control, a summary with links, and all typed values", async () => {
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
    expect(errorsAt(body)).toEqual({
      "answers[q1]": "Write something: blanks alone do not count.",
      "answers[q2]": "Enter a number, such as 12 or 2.5.",
    });
    expect(body).toContain("<title>Error: ");
    const elements = elementsOf(body);
    const links = elements.filter(({ tag, attributes }) => tag === "a" && attributes.href!.startsWith("#f-"));
    expect(links).toHaveLength(2);
    for (const { attributes } of links)
      expect(elements.some((one) => `#${one.attributes.id}` === attributes.href)).toBe(true);
    const summary = elements.find(({ attributes }) => attributes.role === "alert")!;
    expect(summary.attributes).toMatchObject({ tabindex: "-1", autofocus: "" });
    expect(filledIn(body)).toEqual(Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, [value]])));
    expect((await asked.now()).status).toBe("open");
  });

  it("does not restore a default that was deleted", async () => {
    const { path } = await opened(
      client,
      await ask(run, clarification([{ id: "t", text: "?", type: "text", required: true, default: "preset" }])),
    );
    const { body } = await postPage(path, { "answers[t]": "" });
    expect(filledIn(body)).toMatchObject({ "answers[t]": [""] });
  });

  it("names an unknown field", async () => {
    const { status, body } = await postPage((await everything()).path, {
      "answers[q1]": "a",
      "answers[q2]": "1",
      colour: "red",
    });
    expect(status).toBe(422);
    expect(textOf(body)).toContain('colour: There is no field "colour" here.');
  });
});
