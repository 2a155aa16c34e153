/** A Durable Object and a Workflow that show what the platform does with them. */
import { DurableObject, WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";

export interface ProbeEnv {
  DB: D1Database;
  BUCKET: R2Bucket;
  FLOWS: Workflow<{ scenario: string }>;
  OBJECTS: DurableObjectNamespace<ProbeObject>;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class ProbeObject extends DurableObject<ProbeEnv> {
  private log: string[] = [];
  private alarmFails = 0;
  private onAlarm: "nothing" | "set" | "delete" = "nothing";
  private loaded = false;

  constructor(ctx: DurableObjectState, env: ProbeEnv) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      await pause(20);
      this.loaded = true;
    });
  }

  isLoaded(): boolean {
    return this.loaded;
  }

  ownName(): string | undefined {
    return this.ctx.id.name;
  }

  get(key: string): Promise<unknown> {
    return this.ctx.storage.get(key);
  }

  put(key: string, value: unknown): Promise<void> {
    return this.ctx.storage.put(key, value);
  }

  deleteAll(): Promise<void> {
    return this.ctx.storage.deleteAll();
  }

  /** Reads, and writes one more. */
  async increment(): Promise<number> {
    const next = ((await this.ctx.storage.get<number>("count")) ?? 0) + 1;
    await this.ctx.storage.put("count", next);
    return next;
  }

  /** The same with a query of D1 in between. */
  async incrementAcrossD1(): Promise<number> {
    const next = ((await this.ctx.storage.get<number>("count")) ?? 0) + 1;
    await this.env.DB.prepare("SELECT 1").all();
    await this.ctx.storage.put("count", next);
    return next;
  }

  note(text: string): void {
    this.log.push(text);
  }

  async noteAfter(ms: number, text: string): Promise<void> {
    await pause(ms);
    this.log.push(text);
  }

  block(ms: number, text: string): Promise<void> {
    return this.ctx.blockConcurrencyWhile(async () => {
      await pause(ms);
      this.log.push(text);
    });
  }

  notes(): string[] {
    return this.log;
  }

  fail(message: string): never {
    throw new RangeError(message);
  }

  sum(count: number): number {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS numbers (n INTEGER NOT NULL) STRICT");
    for (let n = 1; n <= count; n++) sql.exec("INSERT INTO numbers VALUES (?)", n);
    return sql.exec<{ sum: number }>("SELECT SUM(n) AS sum FROM numbers").one().sum;
  }

  tables(): string[] {
    const found = this.ctx.storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE name = 'numbers'");
    return found.toArray().map(({ name }) => name);
  }

  keep(key: string, value: unknown): unknown {
    this.ctx.storage.kv.put(key, value);
    return this.ctx.storage.kv.get(key);
  }

  async setAlarm(inMs: number, then: { fails?: number; on?: "nothing" | "set" | "delete" } = {}): Promise<boolean> {
    this.alarmFails = then.fails ?? 0;
    this.onAlarm = then.on ?? "nothing";
    const at = Date.now() + inMs;
    await this.ctx.storage.setAlarm(at);
    return (await this.ctx.storage.getAlarm()) === at;
  }

  async deleteAlarm(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
  }

  async hasAlarm(): Promise<boolean> {
    return (await this.ctx.storage.getAlarm()) !== null;
  }

  override async alarm(): Promise<void> {
    this.log.push((await this.hasAlarm()) ? "alarm while one is set" : "alarm");
    if (this.alarmFails-- > 0) throw new Error("The alarm fails.");
    if (this.onAlarm === "set") {
      this.onAlarm = "nothing";
      await this.ctx.storage.setAlarm(Date.now() + 10);
      this.log.push((await this.hasAlarm()) ? "set" : "not set");
    }
    if (this.onAlarm === "delete") await this.ctx.storage.deleteAlarm();
    await pause(30);
    this.log.push("alarm done");
  }
}

const QUICK = { retries: { limit: 2, delay: 10, backoff: "constant" } } as const;

export class ProbeWorkflow extends WorkflowEntrypoint<ProbeEnv, { scenario: string }> {
  override async run(event: Readonly<WorkflowEvent<{ scenario: string }>>, step: WorkflowStep): Promise<unknown> {
    const caught = (work: Promise<unknown>) => work.catch((error: Error) => ({ caught: error.message }));
    const attempts: number[] = [];
    switch (event.payload.scenario) {
      case "steps":
        return [
          event.instanceId,
          await step.do("one", async () => ({ n: 1, nothing: undefined, date: new Date(0) }) as never),
          await step.do("same", async () => "first"),
          await step.do("same", async () => "second"),
        ];
      case "parallel":
        return Promise.all(["a", "b", "c"].map((name) => step.do(name, async () => (await pause(20), name))));
      case "retries":
        await step.do("flaky", QUICK, async ({ attempt }) => {
          attempts.push(attempt);
          if (attempt < 3) throw new Error("Not yet.");
        });
        return attempts;
      case "exhausted": {
        const error = await caught(
          step.do("broken", QUICK, async ({ attempt }): Promise<void> => {
            attempts.push(attempt);
            throw new TypeError("Never.");
          }),
        );
        return { attempts, error };
      }
      case "step timeout":
        return caught(step.do("slow", { retries: { limit: 0, delay: 1 }, timeout: 200 }, () => pause(2000)));
      case "wait": {
        const { type, payload } = await step.waitForEvent("wait", { type: "go", timeout: "1 hour" });
        return { type, payload };
      }
      case "two waits":
        return Promise.all(
          ["first", "second"].map(
            async (name) => (await step.waitForEvent(name, { type: "go", timeout: "1 hour" })).payload,
          ),
        );
      case "wait timeout":
        return caught(step.waitForEvent("wait", { type: "go", timeout: 300 }));
      case "sleep": {
        await step.sleep("nap", 100);
        return "awake";
      }
      case "fails":
        throw new Error("The workflow fails.");
      default:
        throw new Error(`Unknown scenario: ${event.payload.scenario}`);
    }
  }
}

export default { fetch: () => new Response("probe") };
