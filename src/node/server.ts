import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { log } from "#core/log";
import { DataFolder } from "./data-folder";
import type { Migration } from "./migrate";
import { realHost } from "./host";
import { requestOf, send } from "./http";
import { StaticFiles } from "./static-files";
import { WorkerProcess, type WorkerModule } from "./worker-process";

export interface ServerOptions {
  worker: WorkerModule;
  /** Classes of Durable Objects by the names of their bindings. */
  namespaces: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
  /** Further bindings of the Worker, by their names. */
  bindings?: Readonly<Record<string, unknown>>;
  /** Folder of all that is stored. */
  data: string;
  migrations: readonly Migration[];
  /** Folder of the static files. */
  assets: string;
  /** Address to listen on, such as 127.0.0.1. */
  address: string;
  /** 0: a free one. */
  port: number;
  behind_proxy: boolean;
  /** Requests are answered; runs, webhooks and maintenance wait for a start that is not paused. */
  paused: boolean;
  /** Is called when the disk cannot say what it has stored: the process must end, and the next one reads what is there. */
  onDiskFailure: (error: Error) => void;
}

/** Connections are accepted for this long after a stop signal: what clients have sent by then is answered, and not reset. Milliseconds. */
const DRAIN = 250;
/** How long requests may take to end after that. Milliseconds. */
const GRACE = 4000;

/** How long an answer to whether the folder can be written holds. Milliseconds. */
const WRITE_CHECK_INTERVAL = 1000;

/** An object that works on nothing is dropped from memory after this. Longer than the window of a rate limit. Milliseconds. */
const IDLE_AFTER = 150_000;
const EVICTION_INTERVAL = 30_000;

/** Serves a Worker on Node: its D1, R2, Workflows and Durable Objects live in this process and in one folder. */
export class Server {
  readonly url: string;
  private readonly stopping = new AbortController();
  private readonly background = new Set<Promise<unknown>>();
  private readonly eviction: ReturnType<typeof setInterval>;
  /** Of a file of the database. */
  private damage: Error | null = null;
  private writeCheck: { at: number; failure: Promise<Error | null> } | null = null;

  private constructor(
    private readonly options: ServerOptions,
    private readonly folder: DataFolder,
    private readonly process: WorkerProcess,
    private readonly http: HttpServer,
  ) {
    const { port } = http.address() as AddressInfo;
    this.url = `http://${options.address.includes(":") ? `[${options.address}]` : options.address}:${port}`;
    http.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => void this.answer(incoming, outgoing));
    this.eviction = setInterval(() => process.objects.evictIdle(Date.now() - IDLE_AFTER), EVICTION_INTERVAL);
  }

  /**
   * Listens, and resumes what is stored.
   * @throws Error when the folder is in use, or the port
   */
  static async start(options: ServerOptions): Promise<Server> {
    const folder = new DataFolder(options.data, options.migrations);
    const http = createServer({ keepAliveTimeout: 75_000 });
    try {
      await new Promise<void>((listening, fail) =>
        http.once("error", fail).listen(options.port, options.address, listening),
      );
    } catch (error) {
      await folder.close();
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      throw new Error(`Port ${options.port} cannot be used (${code}). Choose another one.`, { cause: error });
    }
    const { worker, namespaces, variables, bindings = {}, assets } = options;
    const { commits, storage } = folder;
    const process = new WorkerProcess(worker, {
      name: "server",
      host: realHost(commits),
      storage,
      namespaces,
      variables: { ...variables, ...bindings },
      assets: new StaticFiles(assets),
      transactions: commits.of(storage.d1),
      onDamage: (error) => void (server.damage = error),
      isPaused: options.paused,
    });
    commits.onLost = (error) => {
      log.error("writes were lost; their callers are told to repeat them", { error });
      process.objects.reload(error);
    };
    commits.onDiskFailure = options.onDiskFailure;
    const server = new Server(options, folder, process, http);
    process.resume(true);
    return server;
  }

  /** Ends the streams, lets other requests end, and closes the folder. What runs is resumed by the next start. */
  async stop(): Promise<void> {
    clearInterval(this.eviction);
    this.stopping.abort();
    await new Promise((drained) => setTimeout(drained, DRAIN));
    const closed = new Promise((done) => this.http.close(done)); // and connections that are idle
    const answered = closed.then(() => Promise.allSettled(this.background));
    await Promise.race([answered, new Promise((late) => setTimeout(late, GRACE))]);
    this.http.closeAllConnections();
    this.process.life.end();
    await this.folder.close();
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    if (this.stopping.signal.aborted) outgoing.setHeader("connection", "close");
    try {
      const request = this.requestOf(incoming, gone.signal);
      if (!request) return void outgoing.writeHead(400).end();
      const response =
        (await this.failedHealth(request)) ?? (await this.process.fetch(request, (work) => this.keep(work)));
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      if (isStream) {
        outgoing.setHeader("x-accel-buffering", "no"); // nginx would hold events back
        // A stream of events would not end; its client connects again, and continues where it was.
        this.endAtStop(outgoing, gone.signal);
      }
      await send(response, outgoing);
    } catch (error) {
      log.error("a request failed", { error });
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    }
  }

  /** The answer to a health check while the folder cannot be written, or a file in it is damaged; null for any other request. */
  private async failedHealth({ url }: Request): Promise<Response | null> {
    if (new URL(url).pathname !== "/healthz") return null;
    const now = Date.now();
    if (!this.writeCheck || Math.abs(now - this.writeCheck.at) >= WRITE_CHECK_INTERVAL)
      this.writeCheck = {
        at: now,
        failure: this.folder.checkWritable().then(
          () => null,
          (error: Error) => error,
        ),
      };
    const error = this.damage ?? (await this.writeCheck.failure);
    if (!error) return null;
    log.error("the data folder is not healthy", { error });
    const health = { status: "unavailable", version: this.options.variables.VERSION, because: "database" };
    return Response.json(health, { status: 503, headers: { "Retry-After": "5" } });
  }

  /** Null when it cannot be read. */
  private requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | null {
    try {
      return requestOf(incoming, { behind_proxy: this.options.behind_proxy, signal });
    } catch {
      return null;
    }
  }

  private endAtStop(outgoing: ServerResponse, gone: AbortSignal): void {
    const { signal } = this.stopping;
    if (signal.aborted) outgoing.destroy();
    else signal.addEventListener("abort", () => outgoing.destroy(), { signal: gone });
  }

  private keep(work: Promise<unknown>): void {
    this.background.add(work);
    void work.finally(() => this.background.delete(work));
  }
}
