import { confirm } from "@clack/prompts";
import type { RunEstimate } from "../index.ts";
import { follow } from "./runs.ts";
import { argument, type Command, interactive, readJson, say, UsageError } from "./terminal.ts";

type Range = { low: number; high: number };
const range = ({ low, high }: Range) => (low === high ? `${low}` : `${low} to ${high}`);

const describe = ({ calls, cost_usd, unpriced_models }: RunEstimate) =>
  `About ${range(calls)} model calls; ${
    cost_usd ? `${range(cost_usd)} US dollars` : `no price is known for ${unpriced_models.join(", ")}`
  }.`;

export const experiment: Record<string, Command> = {
  experiment: {
    usage: "experiment FILE|- [--yes] [--json]",
    summary: "Starts an experiment from a JSON request (input, options, …), after its estimate, and follows it",
    flags: { yes: { type: "boolean" }, json: { type: "boolean" } },
    async run(context) {
      const { parley, flags } = context;
      const request = await readJson(argument(context, 0, "The file with the request"), "The request");
      const body = { ...request, workflow: "experiment" } as never;
      say(describe(await parley.runs.estimate(body)));
      if (!flags.yes) {
        if (!interactive()) throw new UsageError("Give --yes to start it without a person's consent.");
        if ((await confirm({ message: "Start it?" })) !== true) return 1;
      }
      const { id } = await parley.runs.create(body);
      say(id);
      return follow(context, id);
    },
  },
};
