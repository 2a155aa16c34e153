// npm run trace: a run of any workflow as a Markdown document, made from nothing but the API's answers.
//   npm run --silent trace -- --url http://127.0.0.1:8787 --key parley_… --run run_… [--note "…"] > trace.md
// It shows the request, the result with its report, every artifact in order with its role, its action and its whole content, what people
// were asked and answered, the calls of agents, and the usage. Keys, callback tokens and webhook addresses are left out.
import { parseArgs } from "node:util";
import {
  capital,
  folded,
  isTable,
  json,
  number,
  seconds,
  shown,
  subdocument,
  table,
  value,
  words,
} from "./trace/markdown.mjs";

const { values: flags } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, run: { type: "string" }, note: { type: "string" } },
});
const { url, key, run: id, note } = flags;
if (!url || !key || !id) {
  console.error('Usage: npm run trace -- --url <base URL> --key <API key> --run <run id> [--note "<text>"] > trace.md');
  process.exit(2);
}

async function get(path) {
  const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } });
  const body = await response.text();
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`);
  return JSON.parse(body);
}

/** All pages of a list. */
async function list(path) {
  const entries = [];
  for (let cursor = null; ;) {
    const query = `limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const page = await get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
    entries.push(...page.data);
    if (!(cursor = page.next_cursor)) return entries;
  }
}

const run = await get(`/v1/runs/${id}`);
const workflow = await get(`/v1/workflows/${run.workflow}`);
const artifacts = [];
for (const { id: artifact } of await list(`/v1/runs/${id}/artifacts`)) {
  artifacts.push(await get(`/v1/runs/${id}/artifacts/${artifact}`));
}
const interactions = [];
for (const status of ["open", "answered", "expired", "canceled"]) {
  interactions.push(...(await list(`/v1/interactions?run_id=${id}&status=${status}`)));
}

// --- artifacts ---------------------------------------------------------------------------------------------------------------------

/** What an agent was asked and what it answered. Such artifacts are told by their form, not by the workflow they come from. */
function agentCall({ agent, task, input, ok, value: answer, tool_calls = [] }) {
  return [
    `**Asked of ${agent}:** ${task.replaceAll("\n", " ")}`,
    "**Given:**",
    shown(value(input), "What it was given"),
    ...tool_calls.flatMap((call) => ["**Used a tool:**", shown(value(call), "Tool call")]),
    ok ? "**Answered:**" : "**Failed:**",
    shown(value(answer), "What it answered"),
  ].join("\n\n");
}

const isAgentCall = (content) => isTable(content) && ["agent", "task", "ok"].every((name) => name in content);

/** Documents of the output: they stand at the top. */
const documents = new Set(
  Object.values(run.output ?? {}).flatMap((entry) => (isDocument(entry) ? [entry.artifact_id] : [])),
);

/** Tells again, as data for programs, what other artifacts say in words: nobody needs to read it twice. */
const retells = (made) => isTable(made) && ["rounds", "answers", "ended"].every((name) => name in made);
const isCheck = (made) => isTable(made) && Array.isArray(made.citations) && "invented" in made;

function contentOf({ id: artifact, content: made, media_type, kind }) {
  if (documents.has(artifact) && media_type === "text/markdown") return "It stands above, under [Result](#result).";
  if (isAgentCall(made)) return agentCall(made);
  if (retells(made) || isCheck(made)) return folded(json(made), `${capital(words(kind))}, as data`);
  return shown(value(made, media_type), capital(words(kind)));
}

/** Heading of an artifact, and the anchor that Markdown viewers make of it. */
const heading = (artifact, index) =>
  `${index + 1}. ${capital(words(artifact.kind))}${artifact.subject ? `: ${artifact.subject}` : ""}` +
  (artifact.version > 1 ? `, version ${artifact.version}` : "");
const anchor = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const place = new Map(artifacts.map((artifact, index) => [artifact.id, index]));
const reference = (artifact) => {
  const index = place.get(artifact);
  return index === undefined ? null : `[${index + 1}](#${anchor(heading(artifacts[index], index))})`;
};

function provenance(artifact) {
  const { role, caused_by, model, usage, duration_ms, repairs, inputs } = artifact;
  const sources = inputs.map(reference).filter(Boolean);
  return [
    `**Role:** ${words(role)}${model === null && role !== "human" ? " (no model asked)" : ""}`,
    `**Action:** \`${caused_by}\``,
    sources.length ? `**From:** ${sources.join(", ")}` : null,
    model
      ? `**Model:** \`${model}\`, ${number(usage.input_tokens)} + ${number(usage.output_tokens)} tokens, ${seconds(duration_ms)}`
      : null,
    repairs ? `**Repairs:** ${repairs}` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

function artifactSection(artifact, index) {
  const what = workflow.kinds[artifact.kind];
  return [
    `### ${heading(artifact, index)}`,
    ...(what ? [`*${what}*`] : []),
    provenance(artifact),
    contentOf(artifact),
  ].join("\n\n");
}

// --- what people were asked --------------------------------------------------------------------------------------------------------

function interactionSection({ kind, status, prompt, artifacts: about, questions, answer, answered_by }) {
  const given = answer?.answers ?? {};
  const asked = questions.map(
    ({ id: name, text }) =>
      `- ${text}\n  - ${given[name] === undefined ? "*(no answer)*" : `**${String(given[name]).trim().replaceAll("\n", " ")}**`}`,
  );
  const { answers: _answers, answered_by: _by, ...rest } = answer ?? {};
  return [
    `### A person is asked: ${words(kind)}`,
    `> ${prompt.replaceAll("\n", "\n> ")}`,
    `**Status:** ${status}${answered_by ? ` by ${answered_by}` : ""}` +
      (about.length ? ` · **About:** ${about.map(reference).filter(Boolean).join(", ")}` : ""),
    ...(asked.length ? [asked.join("\n")] : []),
    ...(Object.keys(rest).length ? ["**Answer:**", value(rest)] : []),
  ].join("\n\n");
}

/** Artifacts in their order, each interaction where it was opened, a heading wherever the stage changes. */
function story() {
  const waiting = [...interactions].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const sections = [];
  const visits = {};
  let stage = null;
  const enter = (name) => {
    if (name === stage) return;
    stage = name;
    visits[name] = (visits[name] ?? 0) + 1;
    sections.push(`## Stage: ${words(name)}${visits[name] > 1 ? ` (visit ${visits[name]})` : ""}`);
  };
  const ask = (interaction) => {
    enter(interaction.stage);
    sections.push(interactionSection(interaction));
  };
  artifacts.forEach((artifact, index) => {
    while (waiting.length && waiting[0].created_at < artifact.created_at) ask(waiting.shift());
    enter(artifact.stage);
    sections.push(artifactSection(artifact, index));
  });
  waiting.forEach(ask);
  return sections;
}

// --- beginning and end -------------------------------------------------------------------------------------------------------------

const outcome = [run.status, run.output?.stop_reason].filter(Boolean).join(", ");
const options = Object.entries(run.options).filter(([, set]) => !(Array.isArray(set) && set.length === 0));

/** Corpora by their names and sizes, where they are still there. */
async function corporaOf(ids) {
  const found = await Promise.all(
    ids.map((corpus) =>
      get(`/v1/corpora/${corpus}`).then(
        ({ name, description, counts }) =>
          `**${name}**${description ? ` (${description})` : ""}: ${number(counts.documents)} documents, ${number(counts.passages)} passages, \`${corpus}\``,
        () => `\`${corpus}\`, which is no longer there`,
      ),
    ),
  );
  return found.map((line) => `- ${line}`).join("\n");
}

async function beginning() {
  const models = [...new Set(artifacts.map(({ model }) => model).filter(Boolean))];
  const { corpus_ids = [], ...input } = run.input;
  return [
    `# ${workflow.title}: the trace of a run`,
    `${workflow.summary} Method: ${workflow.source.url ? `[${workflow.source.title}](${workflow.source.url})` : workflow.source.title}.`,
    ...(note ? [`> ${note}`] : []),
    table(
      ["Run", `\`${run.id}\``],
      [
        ["Workflow", `\`${run.workflow}\`, version ${run.workflow_version}`],
        ["Mode", run.mode],
        ["Model", models.length ? models.map((model) => `\`${model}\``).join(", ") : "none"],
        ["Outcome", outcome],
        ["Model calls", number(run.usage.llm_calls)],
        ["Started, finished", `${run.started_at ?? "not yet"}, ${run.finished_at ?? "not yet"}`],
      ],
    ),
    "## Request",
    shown(value(input), "Request"),
    ...(corpus_ids.length ? ["**Corpora**", await corporaOf(corpus_ids)] : []),
    folded(value(Object.fromEntries(options)), "Options, defaults included"),
  ];
}

function isDocument(entry) {
  return isTable(entry) && "artifact_id" in entry;
}

/** The output. A document of it is shown here, and not where it was made. */
function result() {
  if (run.error) return ["## Error", value(run.error)];
  if (!run.output) return ["## Result", `None yet: the run is ${words(run.status)}.`];
  const { answer, ...rest } = run.output;
  const report = artifacts.find(({ id: artifact }) => artifact === run.output.report?.artifact_id);
  const told = (entry) => {
    if (isDocument(entry)) return reference(entry.artifact_id) ?? `\`${entry.artifact_id}\``;
    if (Array.isArray(entry) && entry.length && entry.every(isDocument)) return entry.map(told).join(", ");
    return `\`${JSON.stringify(entry)}\``;
  };
  // What does not fit into a cell stands below the table.
  const isWide = ([, entry]) =>
    !told(entry).startsWith("[") && (told(entry).length > 160 || /.`./.test(told(entry).slice(1, -1)));
  const fields = Object.entries(rest);
  const data = [
    table(
      ["Field", "Value"],
      fields.filter((field) => !isWide(field)).map(([name, entry]) => [`\`${name}\``, told(entry)]),
    ),
    ...fields.filter(isWide).flatMap(([name, entry]) => [`\`${name}\`:`, shown(value(entry), capital(words(name)))]),
  ];
  if (report) return ["## Result", subdocument(report.content), folded(data.join("\n\n"), "The output, as data")];
  return [
    "## Result",
    ...(answer === undefined ? [] : ["**Answer**", answer === null ? "None." : value(answer)]),
    ...data,
  ];
}

function usageSection() {
  const called = artifacts.filter(({ usage: used }) => used.llm_calls > 0);
  const row = (name, action, used, ms) => [
    name,
    action,
    number(used.llm_calls),
    number(used.input_tokens),
    number(used.output_tokens),
    ms,
  ];
  const { cost_usd } = run.usage;
  return [
    "## Usage",
    table(
      ["Artifact", "Action", "Calls:", "Input tokens:", "Output tokens:", "Time:"],
      [
        ...called.map((artifact) =>
          row(
            `${reference(artifact.id)} ${words(artifact.role)}${artifact.subject ? `: ${artifact.subject}` : ""}`,
            `\`${artifact.caused_by}\``,
            artifact.usage,
            seconds(artifact.duration_ms),
          ),
        ),
        row("**The run**", "", run.usage, ""),
      ],
    ),
    cost_usd === null ? "Cost: not known, since no price is set for the model." : `Cost: ${cost_usd} USD.`,
  ];
}

console.log([...(await beginning()), ...result(), ...story(), ...usageSection()].join("\n\n"));
