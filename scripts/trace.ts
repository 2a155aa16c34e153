import type { Json } from "./lib/json.ts";
import { type Artifact, type ArtifactWithContent, type Interaction, Parley, type Usage } from "./lib/sdk.ts";
import { command, refuse } from "./lib/command.ts";
import { costTable } from "./trace/costs.ts";
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
} from "./trace/markdown.ts";

const { values } = command({
  name: "trace",
  what: `Writes a run of any workflow as a Markdown document, from the API's responses alone: the request, the result with its report, every artifact
in order with its role, action and whole content, the questions to people and their answers, the calls of agents, and the usage. Keys, callback
tokens and webhook addresses are left out.`,
  options: {
    url: { type: "string", value: "URL", help: "base URL of the server" },
    key: { type: "string", value: "KEY", help: "API key" },
    run: { type: "string", value: "RUN", help: "id of the run" },
    note: { type: "string", help: "is at the top" },
  },
  example: "--url http://127.0.0.1:8787 --key parley_… --run run_… > trace.md",
});
const { url, key, run: id, note } = values;
if (!url || !key || !id) refuse("trace", "Name a run with --url, --key and --run");

const parley = new Parley({ baseURL: url, apiKey: key });
const run = await parley.runs.get(id);
const workflow = await parley.workflows.get(run.workflow);
const manifest = await parley.runs.manifest(id);
const artifacts: ArtifactWithContent[] = [];
for await (const { id: artifact } of parley.artifacts.list(id))
  artifacts.push(await parley.artifacts.get(id, artifact));
const interactions: Interaction[] = [];
for (const status of ["open", "answered", "expired", "canceled"] as const)
  interactions.push(...(await parley.interactions.list({ run_id: id, status }).all()));

// --- artifacts ---------------------------------------------------------------------------------------------------------------------

/** A call of an agent: its task, its input, its tool calls and its answer. Any workflow can have such artifacts. */
function agentCall({ agent, task, input, ok, value: answer, tool_calls = [] }: Json) {
  return [
    `**Asked of ${agent}:** ${task.replaceAll("\n", " ")}`,
    "**Given:**",
    shown(value(input), "Input"),
    ...tool_calls.flatMap((call: Json) => ["**Used a tool:**", shown(value(call), "Tool call")]),
    ok ? "**Answered:**" : "**Failed:**",
    shown(value(answer), "Answer"),
  ].join("\n\n");
}

const isAgentCall = (content: Json) => isTable(content) && ["agent", "task", "ok"].every((name) => name in content);

/** Documents of the output, which are shown at the top. */
const documents = new Set<string>(
  Object.values<Json>(run.output ?? {}).flatMap((entry) => (isDocument(entry) ? [entry.artifact_id] : [])),
);

/** A record of a debate, or a check of its citations: data for programs, which other artifacts hold as text. */
const isRecord = (content: Json) => isTable(content) && ["rounds", "answers", "ended"].every((name) => name in content);
const isCheck = (content: Json) => isTable(content) && Array.isArray(content.citations) && "invented" in content;

function contentOf({ id: artifact, content, media_type, kind }: ArtifactWithContent) {
  if (documents.has(artifact) && media_type === "text/markdown") return "It is shown above, under [Result](#result).";
  if (isAgentCall(content)) return agentCall(content);
  if (isRecord(content) || isCheck(content)) return folded(json(content), `${capital(words(kind))}, as data`);
  return shown(value(content, media_type), capital(words(kind)));
}

/** Heading of an artifact; `anchor` is the id that Markdown viewers give to a heading. */
const heading = (artifact: Artifact, index: number) =>
  `${index + 1}. ${capital(words(artifact.kind))}${artifact.subject ? `: ${artifact.subject}` : ""}` +
  (artifact.version > 1 ? `, version ${artifact.version}` : "");
const anchor = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const positions = new Map(artifacts.map((artifact, index) => [artifact.id, index]));
const reference = (of: string) => {
  const index = positions.get(of) ?? -1;
  const artifact = artifacts[index];
  return artifact ? `[${index + 1}](#${anchor(heading(artifact, index))})` : null;
};

function provenance(artifact: Artifact) {
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

function artifactSection(artifact: ArtifactWithContent, index: number) {
  const summary = workflow.kinds[artifact.kind];
  return [
    `### ${heading(artifact, index)}`,
    ...(summary ? [`*${summary}*`] : []),
    provenance(artifact),
    contentOf(artifact),
  ].join("\n\n");
}

// --- questions to people -----------------------------------------------------------------------------------------------------------

function interactionSection({
  kind,
  status,
  prompt,
  artifacts: about,
  questions,
  answer: given,
  answered_by,
}: Interaction) {
  const answer = given as Json;
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
  const sections: string[] = [];
  const visits: Record<string, number> = {};
  let stage: string | null = null;
  const enter = (name: string) => {
    if (name === stage) return;
    stage = name;
    const visit = (visits[name] = (visits[name] ?? 0) + 1);
    sections.push(`## Stage: ${words(name)}${visit > 1 ? ` (visit ${visit})` : ""}`);
  };
  const ask = (interaction: Interaction) => {
    enter(interaction.stage);
    sections.push(interactionSection(interaction));
  };
  artifacts.forEach((artifact, index) => {
    for (let [next] = waiting; next && next.created_at < artifact.created_at; [next] = waiting) {
      waiting.shift();
      ask(next);
    }
    enter(artifact.stage);
    sections.push(artifactSection(artifact, index));
  });
  waiting.forEach(ask);
  return sections;
}

// --- beginning and end -------------------------------------------------------------------------------------------------------------

const output = run.output as Json;
const outcome = [run.status, output?.stop_reason].filter(Boolean).join(", ");
const options = Object.entries(run.options).filter(([, set]) => !(Array.isArray(set) && set.length === 0));

/** Names and sizes of the corpora that still exist. */
async function corporaOf(ids: string[]) {
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
  const { corpus_ids = [], ...input } = run.input as Json;
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

function isDocument(entry: Json) {
  return isTable(entry) && "artifact_id" in entry;
}

/** The output. Its documents are shown here, and not among the artifacts. */
function result() {
  if (run.error) return ["## Error", value(run.error)];
  if (!output) return ["## Result", `None yet: the run is ${words(run.status)}.`];
  const { answer, ...rest } = output;
  const report = artifacts.find(({ id: artifact }) => artifact === output.report?.artifact_id);
  const brief = (entry: Json): string => {
    if (isDocument(entry)) return reference(entry.artifact_id) ?? `\`${entry.artifact_id}\``;
    if (Array.isArray(entry) && entry.length && entry.every(isDocument)) return entry.map(brief).join(", ");
    return `\`${JSON.stringify(entry)}\``;
  };
  // Wide values follow below the table.
  const isWide = ([, entry]: [string, unknown]) =>
    !brief(entry).startsWith("[") && (brief(entry).length > 160 || /.`./.test(brief(entry).slice(1, -1)));
  const fields = Object.entries<unknown>(rest);
  const data = [
    table(
      ["Field", "Value"],
      fields.filter((field) => !isWide(field)).map(([name, entry]) => [`\`${name}\``, brief(entry)]),
    ),
    ...fields.filter(isWide).flatMap(([name, entry]) => [`\`${name}\`:`, shown(value(entry), capital(words(name)))]),
  ];
  if (report)
    return ["## Result", embeddedReport(String(report.content)), folded(data.join("\n\n"), "The output, as data")];
  return [
    "## Result",
    ...(answer === undefined ? [] : ["**Answer**", answer === null ? "None." : value(answer)]),
    ...data,
  ];
}

function usageSection() {
  const called = artifacts.filter(({ usage: used }) => used.llm_calls > 0);
  const row = (name: string, action: string, used: Usage, ms: string) => [
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
