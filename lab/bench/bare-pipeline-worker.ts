// A pipeline without an engine, which `npm run bench` measures beside Parley: each model call is a Workflow step and one row in D1. It has the
// routes of Parley that the measurement calls.
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, finished_at INTEGER)",
  "CREATE TABLE IF NOT EXISTS answers (run_id TEXT NOT NULL, call INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (run_id, call))",
];

interface Bindings {
  DB: D1Database;
  RUNS: Workflow;
  MODEL_URL: string;
}

interface Params {
  id: string;
  model: string;
  calls: number;
}

interface Row {
  id: string;
  created_at: number;
  finished_at: number | null;
}

export class BarePipeline extends WorkflowEntrypoint<Bindings, Params> {
  override async run({ payload: { id, model, calls } }: Readonly<WorkflowEvent<Params>>, step: WorkflowStep) {
    for (let call = 1; call <= calls; call++) await step.do(`call ${call}`, () => this.call(id, model, call));
    await step.do("end", async () => {
      await this.env.DB.prepare("UPDATE runs SET finished_at = ? WHERE id = ?").bind(Date.now(), id).run();
    });
  }

  async call(id: string, model: string, call: number) {
    const response = await fetch(`${this.env.MODEL_URL}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-parley-run": id, "x-parley-step": `call ${call}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: `Step ${call} of the pipeline.` }] }),
    });
    const { choices } = await response.json<{ choices: [{ message: { content: string } }] }>();
    await this.env.DB.prepare("INSERT INTO answers VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
      .bind(id, call, choices[0].message.content)
      .run();
  }
}

const toRun = ({ id, created_at, finished_at }: Row) => ({
  id,
  status: finished_at ? "completed" : "running",
  created_at: new Date(created_at).toISOString(),
  finished_at: finished_at && new Date(finished_at).toISOString(),
});

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const id = pathname.split("/")[3];
    if (pathname === "/ready") {
      await env.DB.batch(TABLES.map((table) => env.DB.prepare(table)));
      return Response.json({});
    }
    if (request.method === "POST") {
      const params = { id: crypto.randomUUID(), ...(await request.json<Omit<Params, "id">>()) };
      await env.DB.prepare("INSERT INTO runs (id, created_at) VALUES (?, ?)").bind(params.id, Date.now()).run();
      await env.RUNS.create({ id: params.id, params });
      return Response.json({ id: params.id }, { status: 201 });
    }
    if (id) {
      const row = await env.DB.prepare("SELECT * FROM runs WHERE id = ?").bind(id).first<Row>();
      return row ? Response.json(toRun(row)) : new Response(null, { status: 404 });
    }
    const { results } = await env.DB.prepare("SELECT * FROM runs WHERE finished_at IS NULL LIMIT 1").all<Row>();
    return Response.json({ data: results.map(toRun) });
  },
} satisfies ExportedHandler<Bindings>;
