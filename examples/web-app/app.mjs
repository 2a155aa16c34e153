// A web app on the SDK: starts a run, receives its webhooks, shows its question in a page of its own, and shows the result. Needs PARLEY_BASE_URL,
// PARLEY_API_KEY (with the scopes `runs:read` and `runs:write`) and PUBLIC_URL: the address at which Parley reaches this app. Runs are kept in memory,
// and nobody logs in.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Parley, WebhookVerificationError } from "@parley/sdk";

const { PORT = "3000", PUBLIC_URL = `http://localhost:${PORT}` } = process.env;
const parley = new Parley();

/** By the id of a run: its open question, and its output once it has completed. */
const runs = new Map();
const stateOf = (id) => runs.get(id) ?? runs.set(id, { status: "queued" }).get(id);

const escaped = (value) => String(value).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const page = (body) => `<!doctype html><meta charset="utf-8"><title>Requirements</title>${body}`;
const startPage = page(`<form method="post" action="/runs">
<label>Idea <input name="idea" required></label> <button>Start</button></form>`);

function runPage({ status, question, output }) {
  if (question)
    return page(`<form method="post" action="/answers/${question.id}"><p id="question">${escaped(question.prompt)}</p>
<label>Comment <input name="comment"></label>
<button name="decision" value="approve">Approve</button> <button name="decision" value="revise">Revise</button></form>`);
  const result = output ? `<pre id="output">${escaped(JSON.stringify(output, null, 2))}</pre>` : "";
  const again = ["completed", "failed", "canceled"].includes(status) ? "" : '<meta http-equiv="refresh" content="2">';
  return page(`${again}<p id="status">${escaped(status)}</p>${result}`);
}

/** Webhooks may arrive again, and late: the state is read from the API. */
async function receive({ data }) {
  if (!data.run) return;
  const run = await parley.runs.get(data.run.id);
  const open = await parley.interactions.list({ run_id: run.id, status: "open" }).all();
  runs.set(run.id, { status: run.status, question: open[0], output: run.output });
}

const routes = {
  "GET /": () => ({ html: startPage }),
  "POST /runs": async (_, body) => {
    const idea = new URLSearchParams(body).get("idea");
    const options = { reviews: ["requirement_draft"], qa_rounds: 0 };
    const run = await parley.runs.create({ workflow: "requirements", input: { idea }, options });
    return { location: `/runs/${run.id}` };
  },
  "GET /runs/": (id) => ({ html: runPage(stateOf(id)) }),
  "POST /answers/": async (id, body) => {
    const { decision, comment } = Object.fromEntries(new URLSearchParams(body));
    const { run_id } = await parley.interactions.answer(id, { decision, ...(comment && { comment }) });
    delete stateOf(run_id).question;
    return { location: `/runs/${run_id}` };
  },
  "POST /webhooks": async (_, body, headers) => {
    await receive(await parley.webhooks.unwrap(body, headers, endpoint.secret));
    return { html: "" };
  },
};

async function respond(request, response) {
  const [, path, id] = /^(\/(?:\w+\/)?)(\w*)$/.exec(request.url) ?? [];
  const route = routes[`${request.method} ${request.url}`] ?? routes[`${request.method} ${path}`];
  if (!route) return response.writeHead(404).end();
  const { html, location } = await route(id, await text(request), request.headers);
  response.writeHead(location ? 303 : 200, location ? { location } : { "content-type": "text/html" }).end(html);
}

const server = createServer((request, response) =>
  respond(request, response).catch((error) => {
    const status = error instanceof WebhookVerificationError ? 400 : 500;
    response.writeHead(status, { "content-type": "text/plain" }).end(error.message);
  }),
);
await new Promise((resolve) => server.listen(Number(PORT), resolve));
const endpoint = await parley.webhookEndpoints.create({ url: `${PUBLIC_URL}/webhooks` });
process.stdout.write(`Open ${PUBLIC_URL}\n`);
