/** dist/serve/parley.mjs: says which Node is needed before an older one meets a module that it does not have. */
const NEEDED = 24;
if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `Parley needs Node ${NEEDED} or later; this is Node ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exit(1);
}
await import("./server.mjs");
