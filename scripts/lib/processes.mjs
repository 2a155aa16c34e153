import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux tells of processes here; slim images have no `ps`, and elsewhere there is no /proc. */
const PROC = existsSync("/proc/self/stat");

/** Fields of /proc/<pid>/stat behind the name, from `state` on; null when the process is gone. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/**
 * The parent of a process that has such a name; null when it has another, is gone, or /proc does not tell.
 * @param {number} pid
 * @param {RegExp} name
 */
export function parentOf(pid, name) {
  if (!PROC) return null;
  try {
    const [, called = "", parent = ""] = /\((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return name.test(called) ? Number(parent) : null;
  } catch {
    return null;
  }
}

/** Pairs of process and parent, of everything that runs. */
function parents() {
  if (!PROC) {
    const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    return table
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number));
  }
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.map((pid) => [pid, Number(statOf(pid)?.[1] ?? 0)]);
}

/**
 * A process and all that descend from it. A runtime that has lost its parent goes on and is no longer found this way: look
 * before you kill.
 * @param {number} root
 * @returns {number[]} process ids
 */
export function tree(root) {
  const all = parents();
  const found = [root];
  for (const parent of found) found.push(...all.filter(([, ppid]) => ppid === parent).map(([pid]) => pid));
  return found;
}

/** @param {number} pid */
export function isAlive(pid) {
  if (PROC) return ![undefined, "Z", "X"].includes(statOf(pid)?.[0]);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * SIGKILL to all of them, whoever has ended meanwhile.
 * @param {number[]} pids
 */
export function killAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  return pids;
}

/**
 * What a process tree has used: seconds of CPU so far, and MiB of memory now; null where /proc does not tell.
 * @param {number} root
 * @returns {{pids: string, cpu_s: number, rss_mib: number, workerd_mib: number} | null} `workerd_mib`: of that, the runtime's
 */
export function usageOf(root) {
  if (!PROC) return null;
  const pids = tree(root);
  const stats = (some) => some.map(statOf).filter((stat) => stat !== null);
  const sum = (some, ...fields) =>
    stats(some).reduce((total, stat) => total + fields.reduce((n, field) => n + Number(stat[field]), 0), 0);
  const mib = (some) => (sum(some, 21) * 4096) / 2 ** 20;
  const runtime = pids.filter((pid) => parentOf(pid, /^workerd$/) !== null);
  // utime and stime count in clock ticks (100 a second), rss in pages (4 KiB).
  return { pids: pids.join(), cpu_s: sum(pids, 11, 12) / 100, rss_mib: mib(pids), workerd_mib: mib(runtime) };
}

/**
 * Milliseconds that the threads of a process have spent on processors, to the microsecond; NaN where /proc does not tell.
 * @param {number} pid
 */
export function cpuOf(pid) {
  if (!existsSync(`/proc/${pid}/schedstat`)) return NaN;
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return threads.reduce((sum, thread) => sum + spent(thread), 0) / 1e6;
}
