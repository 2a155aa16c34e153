// node write-options.ts <configuration> <file>: writes the options that wrangler makes of a Worker's configuration for Miniflare, as JSON.
import { writeFileSync } from "node:fs";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

const [config = "", file = ""] = process.argv.slice(2);
const { name } = unstable_readConfig({ config });
const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
writeFileSync(file, JSON.stringify({ ...workerOptions, name }));
process.exit(0);
