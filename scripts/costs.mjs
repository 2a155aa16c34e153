// npm run costs: prints what a run cost, by action, as a Markdown table.
//   npm run --silent costs -- --url http://127.0.0.1:8787 --key parley_… --run run_…
import { parseArgs } from "node:util";
import { Parley } from "./lib/sdk.mjs";
import { costTable } from "./trace/costs.mjs";

const { values: flags } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, run: { type: "string" } },
});
const { url, key, run: id } = flags;
if (!url || !key || !id) {
  console.error("Usage: npm run costs -- --url <base URL> --key <API key> --run <run id>");
  process.exit(2);
}

const { runs } = new Parley({ baseURL: url, apiKey: key });
const [manifest, { usage }] = await Promise.all([runs.manifest(id), runs.get(id)]);
console.log(costTable(manifest, usage));
