/** Hostile texts on the page for answers: whatever a model or a person wrote is shown as text, in every place where it is shown. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { consultationSchema, feedbackSchema } from "#engine/people/answer-schemas";
import { call, type Client, makeTenant, openInteraction, start } from "../support/parley";
import { elementsOf, getPage, postPage, textOf } from "./page";
import { ask, callbackPath, clarification, makeArtifact, waitingRun } from "./questions";

let client: Client;
let run: string;
beforeAll(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "</textarea><script>alert(1)</script>",
  "</title></style></pre><img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  `' onmouseover='alert(1)' x='`,
  '" autofocus onfocus="alert(1)',
  "<!-- --><iframe srcdoc='<script>alert(1)</script>'>",
  "<style>*{display:none}</style><base href=//evil.example>",
  "<form action=//evil.example><button formaction=javascript:alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "<meta http-equiv=refresh content=0;url=//evil.example>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
].join("\n");

const TAGS = new Set(
  (
    "html head meta title style body header main footer section details summary form fieldset legend label input textarea select option " +
    "button div span p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd pre code time a em strong del blockquote hr br table thead tbody tr th td sup"
  ).split(" "),
);
const ATTRIBUTES =
  /^(?:id|class|lang|dir|name|content|charset|for|type|value|checked|selected|required|rows|inputmode|autocomplete|autofocus|spellcheck|method|novalidate|open|tabindex|role|aria-[a-z]+|datetime|href|rel|target|title|align|start|data-footnote[a-z-]*)$/;

/** Nothing on the page is an element, an attribute or a link that we do not write ourselves. */
async function expectTame(html: string): Promise<void> {
  const elements = elementsOf(html);
  expect(elements.length).toBeGreaterThan(10);
  expect(elements.map(({ tag }) => tag).filter((tag) => !TAGS.has(tag))).toEqual([]);
  const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
  expect(names.filter((name) => !ATTRIBUTES.test(name))).toEqual([]);
  for (const { tag, attributes } of elements) {
    if (attributes.href !== undefined) expect(attributes.href).toMatch(/^(?:https?:\/\/|mailto:|#)/);
    if (tag === "form") expect(attributes).toEqual({ method: "post", novalidate: "" });
    if (tag === "meta") expect(attributes["http-equiv"]).toBeUndefined();
    if (tag === "a" && !attributes.href?.startsWith("#") && attributes.href)
      expect(attributes).toMatchObject({ rel: "noopener noreferrer nofollow", target: "_blank" });
  }
  expect(elements.filter(({ tag }) => tag === "style")).toHaveLength(1);
}

const hostileQuestions = (type: "text" | "choice") =>
  clarification(
    [
      { id: HOSTILE, text: HOSTILE, type: "text", required: true, default: HOSTILE, dimension: HOSTILE },
      { id: "q2", text: HOSTILE, type, choices: [HOSTILE, "other"], required: true, dimension: HOSTILE },
    ],
    HOSTILE,
  );

it("prompt, questions, choices, defaults and answers are text, on the form, with errors, and once answered", async () => {
  const path = await callbackPath(client, await ask(run, hostileQuestions("choice")));
  await expectTame((await getPage(path)).body);
  const invalid = await postPage(path, {
    [`answers[${HOSTILE}]`]: HOSTILE,
    "answers[q2]": "none",
    [HOSTILE]: HOSTILE,
    answered_by: HOSTILE,
  });
  expect(invalid.status).toBe(422);
  await expectTame(invalid.body);
  const typed = { [HOSTILE]: HOSTILE, q2: HOSTILE };
  const headers = { accept: "application/json" };
  const answer = { answers: typed, comment: HOSTILE, answered_by: HOSTILE.slice(0, 190) };
  expect((await call("POST", path, { body: answer, headers })).status).toBe(200);
  await expectTame((await getPage(path)).body);
  const late = await postPage(path, { "answers[q2]": HOSTILE, comment: HOSTILE });
  expect(late.status).toBe(409);
  await expectTame(late.body);
});

it("title, excerpt and `requested_by` of the run are text, on the open and on the closed page", async () => {
  const input = { idea: HOSTILE, title: HOSTILE.slice(0, 200) };
  const hostile = await start(client.test, {
    input,
    options: { human_stakeholder: true },
    requested_by: HOSTILE.slice(0, 200),
  });
  const { id } = await openInteraction(client.test, hostile);
  const path = await callbackPath(client, id);
  const { body } = await getPage(path);
  expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  await expectTame(body);
  await call("POST", `/v1/runs/${hostile}/cancel`, { key: client.test });
  await expectTame((await getPage(path)).body);
});

it("titles, descriptions, options and property names of an `answer_schema` are text", async () => {
  const additions = z.strictObject({
    [HOSTILE]: z.string().describe(HOSTILE).meta({ title: HOSTILE }).optional(),
    pick: z
      .array(z.enum([HOSTILE, "other"]))
      .describe(HOSTILE)
      .optional(),
    one: z.enum([..."abcdefghij", HOSTILE]).optional(),
    list: z.array(z.strictObject({ [HOSTILE]: z.string().describe(HOSTILE) })).optional(),
  });
  const asked = {
    kind: "approval" as const,
    prompt: "?",
    questions: [],
    answer_schema: consultationSchema({ additions }),
  };
  const path = await callbackPath(client, await ask(run, asked));
  await expectTame((await getPage(path)).body);
  await expectTame((await postPage(path, { "additions[one]": HOSTILE, _add: HOSTILE })).body);
  await expectTame((await postPage(path, { "additions[one]": HOSTILE })).body);
});

const feedbackOn = async (content: unknown, type?: string) => {
  const asked = { kind: "feedback" as const, prompt: "?", questions: [], answer_schema: feedbackSchema({} as any) };
  return callbackPath(client, await ask(run, asked, { artifacts: [await makeArtifact(client, run, content, type)] }));
};

it("the parts of an artifact are text in the form that edits them", async () => {
  const output = z.object({
    [HOSTILE]: z.string().describe(HOSTILE),
    entries: z.array(z.object({ name: z.string(), [HOSTILE]: z.string().nullable() })),
  });
  const content = { [HOSTILE]: HOSTILE, entries: [{ name: HOSTILE, [HOSTILE]: HOSTILE }] };
  const asked = {
    kind: "feedback" as const,
    prompt: "?",
    questions: [],
    answer_schema: feedbackSchema({ output } as any),
  };
  const path = await callbackPath(
    client,
    await ask(run, asked, { artifacts: [await makeArtifact(client, run, content)] }),
  );
  const { body } = await getPage(path);
  expect(body).toContain('name="edited_content[entries][0][name]"');
  await expectTame(body);
  const sent = { "edited_content[entries][0][name]": HOSTILE, _remove: HOSTILE, _add: `edited_content[${HOSTILE}]` };
  await expectTame((await postPage(path, sent)).body);
  await expectTame((await postPage(path, { ...sent, [`edited_content[entries][1][${HOSTILE}]`]: "x" })).body);
});

describe("an artifact", () => {
  test.each([
    ["Markdown", HOSTILE, undefined],
    ["JSON", { [HOSTILE]: [HOSTILE, { [HOSTILE]: HOSTILE }] }, undefined],
    ["a program", HOSTILE, "text/javascript"],
    ["Gherkin", HOSTILE, "text/x-gherkin"],
    ["an SVG", HOSTILE, "image/svg+xml"],
    ["HTML", HOSTILE, "text/html"],
  ])("of %s is text, in reading and in editing", async (_, content, type) => {
    const path = await feedbackOn(content, type);
    await expectTame((await getPage(path)).body);
    await expectTame((await postPage(path, { edited_content: HOSTILE })).body);
  });

  test.each([
    [
      "links with a script",
      "[x](javascript:alert(1)) [x](JaVaScRiPt:alert(1)) [x](java\nscript:alert(1)) <javascript:alert(1)>",
    ],
    [
      "links with a script, encoded",
      "[x](javascript&colon;alert(1)) [x](&#106;avascript:alert(1)) [x](%6aavascript:alert(1))",
    ],
    ["links with data", "[x](data:text/html,<script>alert(1)</script>) [x](vbscript:x) [x](file:///etc/passwd)"],
    ["links to other places here", "[x](/v1/runs) [x](//evil.example) [x](?a) [x]() [x](docs)"],
    [
      "links that break out of their attribute",
      '[x](https://a.example/"onmouseover="alert(1)) [x](https://a.example "\\" onclick=\\"alert(1)")',
    ],
    [
      "link definitions",
      '[x][1] [y][2]\n\n[1]: javascript:alert(1)\n[2]: https://a.example "\\"><script>alert(1)</script>"',
    ],
    [
      "images",
      '![x](https://evil.example/pixel.gif) ![" onerror="alert(1)](x "t") ![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    ],
    [
      "images that look like links inside",
      '![<a href="javascript:alert(1)">](y) ![![x](a)](b) [![x](a)](javascript:alert(1))',
    ],
    [
      "code",
      '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```\n`</code><script>alert(1)</script>`',
    ],
    [
      "tables",
      '| <script>alert(1)</script> | " onclick="alert(1) |\n|--|--|\n| </td><img src=x onerror=alert(1)> | [x](javascript:alert(1)) |',
    ],
    [
      "footnotes",
      'a[^"onclick="x] b[^<script>]\n\n[^"onclick="x]: <script>alert(1)</script>\n[^<script>]: [x](javascript:alert(1))',
    ],
    ["headings", '# <script>alert(1)</script>\n\n###### " onclick="alert(1)\n\n</h4><script>alert(1)</script>\n==='],
    [
      "what micromark writes, written by the document",
      '<img src="a" alt="b" /> <a href="javascript:alert(1)"> <input type="checkbox" disabled="" /> <table>',
    ],
    ["entities", "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &amp;lt;script&amp;gt;"],
    ["bare addresses", 'javascript:alert(1) www.a.example"onclick="alert(1) https://a.example/<script> a@b.example'],
  ])("in Markdown with %s stays safe", async (_, markdown) => {
    const { body } = await getPage(await feedbackOn(markdown));
    await expectTame(body);
    expect(body).not.toMatch(/<a[^>]*javascript/i);
  });
});

it("the cost of a hostile document is bounded: it is shown as source", async () => {
  const documents = [
    "[a](".repeat(20_000),
    ">".repeat(30_000),
    "1. ".repeat(10_000),
    "x ".repeat(100_000),
    "a\n=\n".repeat(5_000),
    `${"![".repeat(5_000)}${"](a)".repeat(5_000)}`,
  ];
  for (const markdown of documents) {
    const { body } = await getPage(await feedbackOn(markdown));
    expect(body).toContain("is shown as it is written");
  }
});

it("a long document is rendered whole, whatever its blocks are", async () => {
  const section = (n: number) =>
    `## Part ${n}\n\nText with **bold** words and a [link](https://a.example/${n}).\n\n\`\`\`\n# code ${n}\n\n- no entry\n\`\`\`\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n`;
  const markdown = Array.from({ length: 200 }, (_, n) => section(n)).join("");
  const { body } = await getPage(await feedbackOn(markdown));
  await expectTame(body);
  expect(body.match(/<strong>bold<\/strong>/g)).toHaveLength(200);
  expect(body.match(/<pre><code># code \d+\n\n- no entry\n<\/code><\/pre>/g)).toHaveLength(200);
  expect(body.match(/<td>d<\/td>/g)).toHaveLength(200);
}, 60_000);

test.each([
  ["[https://bank.example](https://evil.example/x?y=1&z=2)", "https://bank.example (evil.example)"],
  ["[Sign in](http://bank.example@evil.example:8080/)", "Sign in (evil.example:8080)"],
  ["<https://bank.example@evil.example>", "https://bank.example@evil.example (evil.example)"],
  ["[b\u0430nk.example](https://b\u0430nk.example)", "(xn--bnk-6cd.example)"],
  ["[mail](mailto:eve@evil.example?subject=x)", "mail (eve@evil.example)"],
  ['[x](https://a&lt;b"c.example)', "x"],
  [
    "<https://plain.example/a> www.plain.example me@plain.example",
    "https://plain.example/a www.plain.example me@plain.example",
  ],
])("the link %s says where it leads", async (markdown, shown) => {
  const { body } = await getPage(await feedbackOn(markdown));
  await expectTame(body);
  const content = /<div class="content"[^>]*>(.*?)<\/div>/s.exec(body)![1]!;
  expect(textOf(content)).toContain(shown);
  if (markdown.startsWith("<https://plain")) expect(content).not.toContain('target">(');
});
