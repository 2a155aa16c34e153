// Preloaded into servers: stdin is a pipe from the parent process, and ends when the parent ends, a crash included.
import { killAll, tree } from "./processes.ts";

process.stdin.on("end", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => killAll(tree(process.pid)), 3000).unref();
});
process.stdin.resume();
