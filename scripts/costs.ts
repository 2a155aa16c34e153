import { Parley } from "./lib/sdk.ts";
import { command, refuse } from "./lib/command.ts";
import { costTable } from "./trace/costs.ts";

const { values } = command({
  name: "costs",
  what: "Prints what a run cost, by action, as a Markdown table.",
  options: {
    url: { type: "string", value: "URL", help: "base URL of the server" },
    key: { type: "string", value: "KEY", help: "API key" },
    run: { type: "string", value: "RUN", help: "id of the run" },
  },
  example: "--url http://127.0.0.1:8787 --key parley_… --run run_…",
});
const { url, key, run: id } = values;
if (!url || !key || !id) refuse("costs", "Name a run with --url, --key and --run");

const { runs } = new Parley({ baseURL: url, apiKey: key });
const [manifest, { usage }] = await Promise.all([runs.manifest(id), runs.get(id)]);
console.log(costTable(manifest, usage));
