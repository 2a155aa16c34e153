import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux has /proc; slim images have no `ps`, and other systems have no /proc. */
const PROC = existsSync("/proc/self/stat");

/** Fields of /proc/<pid>/stat after the name, starting with `state`; null when the process has ended. */
function statOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** The parent of a process whose name matches; null when the name differs, the process has ended, or there is no /proc. */
export function parentOf(pid: number, name: RegExp) {
  if (!PROC) return null;
  try {
    const [, processName = "", parent = ""] =
      /\((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return name.test(processName) ? Number(parent) : null;
  } catch {
    return null;
  }
}

/** [process, parent] of every running process. */
function parents(): [pid: number, parent: number][] {
  if (!PROC) {
    const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    return table
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  }
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.map((pid) => [pid, Number(statOf(pid)?.[1] ?? 0)]);
}

/**
 * A process and all its descendants. A descendant whose parent has ended is no longer found: collect the tree before you kill.
 * @returns process ids
 */
export function tree(root: number): number[] {
  const all = parents();
  const found = [root];
  for (const parent of found) found.push(...all.filter(([, ppid]) => ppid === parent).map(([pid]) => pid));
  return found;
}

export function isAlive(pid: number) {
  if (PROC) return !([undefined, "Z", "X"] as unknown[]).includes(statOf(pid)?.[0]);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends SIGKILL to all processes, and ignores those that have ended. */
export function killAll(pids: number[]) {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
  return pids;
}

/**
 * Usage of a process tree: seconds of CPU so far, and MiB of memory now; null without /proc.
 * @returns `workerd_mib` is the part of `rss_mib` that workerd uses
 */
export function usageOf(root: number): { cpu_s: number; rss_mib: number; workerd_mib: number } | null {
  if (!PROC) return null;
  const pids = tree(root);
  const stats = (members: number[]) => members.map(statOf).filter((stat) => stat !== null);
  const sum = (members: number[], ...fields: number[]) =>
    stats(members).reduce((total, stat) => total + fields.reduce((n, field) => n + Number(stat[field]), 0), 0);
  const mib = (members: number[]) => (sum(members, 21) * 4096) / 2 ** 20;
  const runtime = pids.filter((pid) => parentOf(pid, /^workerd$/) !== null);
  // utime and stime count in clock ticks (100 a second), rss in pages (4 KiB).
  return { cpu_s: sum(pids, 11, 12) / 100, rss_mib: mib(pids), workerd_mib: mib(runtime) };
}
