import type { ChildProcess } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hostNamed, HOSTS } from "./hosts.ts";
import { isAlive, killAll, tree } from "./processes.ts";
import { onStop } from "./stopping.ts";

const START_TIMEOUT = 90_000;
const STOP_TIMEOUT = 5_000;

/** Defaults for local use: quick recovery, a high rate limit, and none for webhooks, which all go to one host. `env` overrides them. */
const LOCAL = {
  ALLOW_PRIVATE_URLS: "true",
  MAINTENANCE_INTERVAL_MS: "2000",
  NUDGE_AFTER_MS: "10000",
  RATE_LIMIT_PER_MINUTE: "100000",
  WEBHOOKS_PER_MINUTE: "0",
  WEBHOOKS_PER_MINUTE_OF_ALL: "0",
};

/** Lines that tell nothing: those of the health checks. */
const NOISE = /^\s*$|"route":"\/healthz"/;

export interface Server {
  url: string;
  test_key: string;
  /** has every scope */
  live_key: string;
  /** of the process that holds the others */
  pid: number;
  /** path of what the server printed */
  log: string;
  /** SIGTERM; after 5 s SIGKILL */
  stop: () => Promise<void>;
  /** SIGKILL to all of its processes, like a crash */
  kill: () => Promise<void>;
  /** settles when the server has ended, for any reason */
  ended: Promise<void>;
}

export interface ServerOptions {
  /** folder of all stored state; one server at a time */
  state: string;
  /** SQL that adds more tenants to a new folder */
  seed?: string;
  /** a free port by default */
  port?: number;
  /** variables of the Worker, in addition to the local defaults */
  env?: Record<string, string>;
  /** the Worker's entry, in place of the one that wrangler.toml names */
  main?: string;
  /** `workerd`, or `node`: the host of `npm run serve`. PARLEY_HOST, else `workerd`, by default */
  host?: string;
  /** as `Wanted` has it */
  databases?: number;
  /** as `Wanted` has it */
  args?: string[];
  /** false: the output is printed to stderr too */
  quiet?: boolean;
}

/** Starts the Worker on this machine, and waits until it responds. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { state: folder, seed, port, env = {}, main, host, databases, args, quiet = true } = options;
  const state = resolve(folder);
  refuseWhenInUse(state);
  const prepare = HOSTS[hostNamed(host ?? (process.env.PARLEY_HOST || "workerd"))];
  const { secret, test_key, live_key, launch } = await prepare({ state, seed, main, databases, args });
  if (port !== undefined) await refuseWhenTaken(port);
  const [free = 0] = await freePorts(1);

  const variables = { PARLEY_SECRET: secret, ...LOCAL, ...env };
  const child = launch({ port: port ?? free, variables });
  const log = keepLog(child, state, quiet);
  const life = lifeOf(child, state);
  const url = `http://127.0.0.1:${port ?? free}`;
  if (!(await responds(url, child))) {
    await life.kill();
    throw new Error(`The server did not start; ${log} ends with:\n${tail(log)}`);
  }
  return { url, test_key, live_key, log, ...life };
}

/**
 * Works with a server.
 * @throws Error when the server ends meanwhile; the reason of the signal, when that ended it
 */
export const untilEnd = <T>(ended: Promise<void>, signal: AbortSignal, working: Promise<T>): Promise<T> =>
  Promise.race([
    working,
    ended.then(() => Promise.reject(signal.aborted ? signal.reason : new Error("The server has ended unexpectedly."))),
  ]);

/** Serves from a folder of its own while work is done, and removes the folder. A stop signal ends the server and this process. */
export async function withServer<T>(
  options: Omit<ServerOptions, "state">,
  work: (server: Server, state: string) => Promise<T>,
): Promise<T> {
  const state = mkdtempSync(join(tmpdir(), "parley-"));
  try {
    const server = await startServer({ ...options, state });
    onStop(() => void server.stop().then(() => process.exit(1)));
    try {
      return await work(server, state);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** Records the process id in the state folder, and returns `ended`, `kill` and `stop` of a Server. */
function lifeOf(child: ChildProcess, state: string) {
  const pid = child.pid as number;
  writeFileSync(pidFile(state), String(pid));
  const ended = new Promise<void>((done) => child.once("close", () => done(rmSync(pidFile(state), { force: true }))));
  const killOnExit = () => void killAll(tree(pid));
  process.once("exit", killOnExit);
  void ended.then(() => process.off("exit", killOnExit));

  const areGone = async (pids: number[], within = Infinity) => {
    for (const end = Date.now() + within; pids.some(isAlive) && Date.now() < end;) await sleep(10);
    return !pids.some(isAlive);
  };
  const kill = async () => {
    await areGone(killAll(tree(pid)));
    await ended;
  };
  const stop = async () => {
    const pids = tree(pid);
    child.kill("SIGTERM");
    if (!(await areGone(pids, STOP_TIMEOUT))) await areGone(killAll(pids));
    await ended;
  };
  return { pid, ended, kill, stop };
}

const pidFile = (state: string) => join(state, "server.pid");

/** Two servers must not write one database. */
function refuseWhenInUse(state: string) {
  const pid = existsSync(pidFile(state)) ? Number(readFileSync(pidFile(state), "utf8")) : 0;
  if (pid && isAlive(pid))
    throw new Error(
      `${state} is in use by a running server (process ${pid}). Stop it, or set PARLEY_STATE to another folder.`,
    );
}

/** Free ports of this machine. */
export async function freePorts(count: number) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await new Promise((done) => server.once("listening", done));
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await new Promise((done) => server.close(done));
  return ports;
}

async function refuseWhenTaken(port: number) {
  const server = createServer();
  await new Promise<unknown>((done, fail) =>
    server.once("error", fail).listen(port, "127.0.0.1", () => server.close(done)),
  ).catch((error) => {
    throw new Error(`Port ${port} cannot be used (${error.code}). Set PORT to another port, or unset it.`);
  });
}

/** Appends the server's output to a file in its state folder; returns the file's path. */
function keepLog(child: ChildProcess, state: string, quiet: boolean) {
  const path = join(state, "server.log");
  const file = createWriteStream(path, { flags: "a", mode: 0o600 });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream?.on("data", (chunk: Buffer) => {
      file.write(chunk);
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      if (!quiet) for (const line of lines) if (!NOISE.test(line)) process.stderr.write(`${line}\n`);
    });
  }
  child.once("close", () => file.end());
  return path;
}

const tail = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n").slice(-15).join("\n");

/** Whether the server responded before it ended and within START_TIMEOUT. */
async function responds(url: string, child: ChildProcess) {
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end; await sleep(40)) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
    if (response?.ok) return true;
  }
  return false;
}
