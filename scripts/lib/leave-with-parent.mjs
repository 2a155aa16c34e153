// Preloaded into wrangler: stdin is a pipe from whoever started it, and breaks when that process is gone, however it went.
import { killAll, tree } from "./processes.mjs";

process.stdin.on("end", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => killAll(tree(process.pid)), 3000).unref();
});
process.stdin.resume();
