// npm run trace: writes a run of any workflow as a Markdown document, from the API's responses alone.
//   npm run --silent trace -- --url http://127.0.0.1:8787 --key parley_… --run run_… [--note "…"] > trace.md
// It shows the request, the result with its report, every artifact in order with its role, action and whole content, the questions to people
// and their answers, the calls of agents, and the usage. Keys, callback tokens and webhook addresses are left out.
import { parseArgs } from "node:util";
import { Parley } from "./lib/sdk.mjs";
import { costTable } from "./trace/costs.mjs";
import {
  capital,
  embeddedReport,
  folded,
  isTable,
  json,
  number,
  seconds,
  shown,
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

const parley = new Parley({ baseURL: url, apiKey: key });
const run = await parley.runs.get(id);
const workflow = await parley.workflows.get(run.workflow);
const manifest = await parley.runs.manifest(id);
const artifacts = [];
for await (const { id: artifact } of parley.artifacts.list(id))
  artifacts.push(await parley.artifacts.get(id, artifact));
const interactions = [];
for (const status of ["open", "answered", "expired", "canceled"])
  interactions.push(...(await parley.interactions.list({ run_id: id, status }).all()));

// --- artifacts ---------------------------------------------------------------------------------------------------------------------

/** A call of an agent: its task, its input, its tool calls and its answer. Any workflow can have such artifacts. */
function agentCall({ agent, task, input, ok, value: answer, tool_calls = [] }) {
  return [
    `**Asked of ${agent}:** ${task.replaceAll("\n", " ")}`,
    "**Given:**",
    shown(value(input), "Input"),
    ...tool_calls.flatMap((call) => ["**Used a tool:**", shown(value(call), "Tool call")]),
    ok ? "**Answered:**" : "**Failed:**",
    shown(value(answer), "Answer"),
  ].join("\n\n");
}

const isAgentCall = (content) => isTable(content) && ["agent", "task", "ok"].every((name) => name in content);

/** Documents of the output, which are shown at the top. */
const documents = new Set(
  Object.values(run.output ?? {}).flatMap((entry) => (isDocument(entry) ? [entry.artifact_id] : [])),
);

/** A record of a debate, or a check of its citations: data for programs, which other artifacts hold as text. */
const isRecord = (content) => isTable(content) && ["rounds", "answers", "ended"].every((name) => name in content);
const isCheck = (content) => isTable(content) && Array.isArray(content.citations) && "invented" in content;

function contentOf({ id: artifact, content, media_type, kind }) {
  if (documents.has(artifact) && media_type === "text/markdown") return "It is shown above, under [Result](#result).";
  if (isAgentCall(content)) return agentCall(content);
  if (isRecord(content) || isCheck(content)) return folded(json(content), `${capital(words(kind))}, as data`);
  return shown(value(content, media_type), capital(words(kind)));
}

/** Heading of an artifact; `anchor` is the id that Markdown viewers give to a heading. */
const heading = (artifact, index) =>
  `${index + 1}. ${capital(words(artifact.kind))}${artifact.subject ? `: ${artifact.subject}` : ""}` +
  (artifact.version > 1 ? `, version ${artifact.version}` : "");
const anchor = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const positions = new Map(artifacts.map((artifact, index) => [artifact.id, index]));
const reference = (artifact) => {
  const index = positions.get(artifact);
  return index === undefined ? null : `[${index + 1}](#${anchor(heading(artifacts[index], index))})`;
};

function provenance(artifact) {
  const { role, caused_by, model, usage, duration_ms, repairs, tries, inputs } = artifact;
  const sources = inputs.map(reference).filter(Boolean);
  return [
    `**Role:** ${words(role)}${model === null && role !== "human" ? " (no model asked)" : ""}`,
    `**Action:** \`${caused_by}\``,
    sources.length ? `**From:** ${sources.join(", ")}` : null,
    model
      ? `**Model:** \`${model}\`, ${number(usage.input_tokens)} + ${number(usage.output_tokens)} tokens, ${seconds(duration_ms)}`
      : null,
    repairs ? `**Repairs:** ${repairs}` : null,
    tries > 1 ? `**Tries:** ${tries}` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

function artifactSection(artifact, index) {
  const summary = workflow.kinds[artifact.kind];
  return [
    `### ${heading(artifact, index)}`,
    ...(summary ? [`*${summary}*`] : []),
    provenance(artifact),
    contentOf(artifact),
  ].join("\n\n");
}

// --- questions to people -----------------------------------------------------------------------------------------------------------

function interactionSection({ kind, status, prompt, artifacts: about, questions, answer, answered_by }) {
  const answers = answer?.answers ?? {};
  const clarified = questions.map(
    ({ id: name, text }) =>
      `- ${text}\n  - ${answers[name] === undefined ? "*(no answer)*" : `**${String(answers[name]).trim().replaceAll("\n", " ")}**`}`,
  );
  const { answers: _answers, answered_by: _by, ...rest } = answer ?? {};
  return [
    `### A person is asked: ${words(kind)}`,
    `> ${prompt.replaceAll("\n", "\n> ")}`,
    `**Status:** ${status}${answered_by ? ` by ${answered_by}` : ""}` +
      (about.length ? ` · **About:** ${about.map(reference).filter(Boolean).join(", ")}` : ""),
    ...(clarified.length ? [clarified.join("\n")] : []),
    ...(Object.keys(rest).length ? ["**Answer:**", value(rest)] : []),
  ].join("\n\n");
}

/** Artifacts in their order, each interaction at the time it was opened, and a heading at each change of stage. */
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

/** Names and sizes of the corpora that still exist. */
async function corporaOf(ids) {
  const found = await Promise.all(
    ids.map((corpus) =>
      parley.corpora.get(corpus).then(
        ({ name, description, counts }) =>
          `**${name}**${description ? ` (${description})` : ""}: ${number(counts.documents)} documents, ${number(counts.passages)} passages, \`${corpus}\``,
        () => `\`${corpus}\`, which no longer exists`,
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

/** The output. Its documents are shown here, and not among the artifacts. */
function result() {
  if (run.error) return ["## Error", value(run.error)];
  if (!run.output) return ["## Result", `None yet: the run is ${words(run.status)}.`];
  const { answer, ...rest } = run.output;
  const report = artifacts.find(({ id: artifact }) => artifact === run.output.report?.artifact_id);
  const brief = (entry) => {
    if (isDocument(entry)) return reference(entry.artifact_id) ?? `\`${entry.artifact_id}\``;
    if (Array.isArray(entry) && entry.length && entry.every(isDocument)) return entry.map(brief).join(", ");
    return `\`${JSON.stringify(entry)}\``;
  };
  // Wide values follow below the table.
  const isWide = ([, entry]) =>
    !brief(entry).startsWith("[") && (brief(entry).length > 160 || /.`./.test(brief(entry).slice(1, -1)));
  const fields = Object.entries(rest);
  const data = [
    table(
      ["Field", "Value"],
      fields.filter((field) => !isWide(field)).map(([name, entry]) => [`\`${name}\``, brief(entry)]),
    ),
    ...fields.filter(isWide).flatMap(([name, entry]) => [`\`${name}\`:`, shown(value(entry), capital(words(name)))]),
  ];
  if (report) return ["## Result", embeddedReport(report.content), folded(data.join("\n\n"), "The output, as data")];
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
    "By action:",
    costTable(manifest, run.usage),
    cost_usd === null ? "Cost: not known, since no price is set for the model." : `Cost: ${cost_usd} USD.`,
  ];
}

console.log([...(await beginning()), ...result(), ...story(), ...usageSection()].join("\n\n"));
