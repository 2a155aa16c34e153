import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../../scripts/lib/server.ts";
import { type Answer, type Crowd, type HookAnswer, type SeenCall, type SeenHook, startModel } from "./model";

/** The Worker as its own process, with a model endpoint. It can be killed and restarted with the same state. */
export class Served {
  /** Folder of all stored state. Another one may be set while the server is down. */
  state = mkdtempSync(join(tmpdir(), "parley-sigkill-"));
  private model!: Awaited<ReturnType<typeof startModel>>;
  private server!: Awaited<ReturnType<typeof startServer>>;

  private constructor(
    private readonly env: Record<string, string>,
    private readonly host: string | undefined,
    private readonly databases: number | undefined,
  ) {}

  /**
   * @param env variables in addition to those of every test
   * @param host as `startServer` takes it
   * @param databases as `startServer` takes it
   */
  static async start(env: Record<string, string> = {}, host?: string, databases?: number): Promise<Served> {
    const served = new Served(env, host, databases);
    served.model = await startModel();
    await served.up();
    return served;
  }

  get live_key(): string {
    return this.server.live_key;
  }

  get url(): string {
    return this.server.url;
  }

  get test_key(): string {
    return this.server.test_key;
  }

  /**
   * @param port a free one by default
   * @param args of the Node host, in addition to its own
   */
  async up(port?: number, args?: string[]): Promise<void> {
    this.server = await startServer({
      state: this.state,
      port,
      host: this.host,
      databases: this.databases,
      args,
      env: {
        OPENAI_API_KEY: "sk-test",
        OPENAI_BASE_URL: `${this.model.url}/v1`,
        OPENAI_MODEL: "test-model",
        MAINTENANCE_INTERVAL_MS: "1000",
        ...this.env,
      },
    });
  }

  /** SIGKILL to all of its processes. */
  async kill(): Promise<Kill> {
    const sent_at = Date.now();
    await this.server.kill();
    return { sent_at, dead_at: Date.now() };
  }

  /** SIGTERM, and waits for its end. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  async close(): Promise<void> {
    await this.server.kill();
    await this.model.close();
    rmSync(this.state, { recursive: true, force: true });
  }

  async api(method: string, path: string, key: string, body?: object): Promise<any> {
    const response = await fetch(this.server.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** A POST whose response may have any status. */
  async post(path: string, key: string, body: object, headers: Record<string, string>) {
    const response = await fetch(this.server.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  }

  /** Waits until the run has this status. */
  status(id: string, wanted: string, key = this.live_key): Promise<any> {
    return until(`${id} ${wanted}`, async () => {
      const run = await this.api("GET", `/v1/runs/${id}`, key);
      return run.status === wanted && run;
    });
  }

  /** The webhooks that were received under a name. */
  async hooksOf(name: string): Promise<SeenHook[]> {
    return (await fetch(`${this.model.url}/hooks?path=/hook/${name}`)).json() as Promise<SeenHook[]>;
  }

  /** The URL that receives webhooks under a name, and its responses from now on. */
  async hook(name: string, answers: HookAnswer[]): Promise<string> {
    await fetch(`${this.model.url}/hook-plan/${name}`, { method: "PUT", body: JSON.stringify(answers) });
    return `${this.model.url}/hook/${name}`;
  }

  async callsOf(id: string): Promise<SeenCall[]> {
    return (await fetch(`${this.model.url}/calls?run=${id}`)).json() as Promise<SeenCall[]>;
  }

  /** Sets the answers of a model from now on. */
  async plan(answers: Record<string, Answer[]>, model = "test-model"): Promise<void> {
    await fetch(`${this.model.url}/plan/${model}`, { method: "PUT", body: JSON.stringify(answers) });
  }

  /** Makes a model answer 429 to calls beyond `most` at the same time. */
  async crowd(most: number, model = "test-model"): Promise<void> {
    await fetch(`${this.model.url}/crowd/${model}`, { method: "PUT", body: JSON.stringify({ most }) });
  }

  async crowdOf(model = "test-model"): Promise<Crowd> {
    return (await fetch(`${this.model.url}/crowd/${model}`)).json() as Promise<Crowd>;
  }

  /** A plan with the responses of a mock run of this request, each after a delay. */
  async planFromMock(request: object, delay_ms: number): Promise<Record<string, Answer[]>> {
    const { id } = await this.api("POST", "/v1/runs", this.test_key, request);
    await this.status(id, "completed", this.test_key);
    const { data } = await this.api("GET", `/v1/runs/${id}/artifacts?limit=100`, this.test_key);
    const made = data.filter((artifact: any) => artifact.model !== null);
    const contents = await Promise.all(
      made.map(({ id: artifact }: any) => this.api("GET", `/v1/runs/${id}/artifacts/${artifact}`, this.test_key)),
    );
    return Object.fromEntries(
      contents.map(({ step, content }: any) => [
        step,
        [{ content: typeof content === "string" ? content : JSON.stringify(content), delay_ms }],
      ]),
    );
  }
}

export async function until<T>(what: string, find: () => Promise<T | false | undefined>): Promise<T> {
  for (const end = Date.now() + 150_000; Date.now() < end; await sleep(100)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`It did not come to this in 150 seconds: ${what}`);
}

/** Longest time from a model's answer to its commit, on a busy machine. Milliseconds. */
const UNDER_WAY = 1000;

/** When a kill was sent, and when the process had ended: on a busy machine the server still makes calls in between. Milliseconds. */
export interface Kill {
  sent_at: number;
  dead_at: number;
}

/** Calls whose answers were lost in a kill, so that they were repeated. */
export const lostCalls = (calls: readonly SeenCall[], kills: readonly Kill[]): SeenCall[] =>
  calls.filter((call) => {
    const again = calls.find(
      ({ run, step, started_at }) => run === call.run && step === call.step && started_at > call.started_at,
    );
    const end = Math.min((call.ended_at ?? Infinity) + UNDER_WAY, again?.started_at ?? 0);
    return kills.some(({ sent_at, dead_at }) => call.started_at <= dead_at && sent_at <= end);
  });
