import type { CreateKey } from "../index.ts";
import { argument, type Command, flag, print, printJson, table } from "./terminal.ts";

const ID = "The id of the key";

export const keys: Record<string, Command> = {
  "keys list": {
    usage: "keys list [--json]",
    summary: "Lists the keys",
    flags: { json: { type: "boolean" } },
    async run({ parley, flags }) {
      const all = await parley.keys.list().all();
      if (flags.json) printJson(all);
      else print(table(all.map(({ id, name, mode, scopes }) => [id, name, mode, scopes.join(",")])));
    },
  },
  "keys create": {
    usage: "keys create NAME --mode test|live [--scope SCOPE …] [--expires-at TIME]",
    summary: "Creates a key; its text is shown this once",
    flags: {
      mode: { type: "string" },
      scope: { type: "string", multiple: true },
      "expires-at": { type: "string" },
    },
    async run(context) {
      const body = {
        name: argument(context, 0, "The name"),
        mode: flag(context, "mode") ?? "test",
        scopes: context.flags.scope,
        expires_at: flag(context, "expires-at"),
      };
      printJson(await context.parley.keys.create(body as CreateKey));
    },
  },
  "keys roll": {
    usage: "keys roll KEY",
    summary: "Replaces a key; the text of the new one is shown this once",
    run: async (context) => printJson(await context.parley.keys.roll(argument(context, 0, ID))),
  },
  "keys revoke": {
    usage: "keys revoke KEY",
    summary: "Revokes a key",
    run: (context) => context.parley.keys.revoke(argument(context, 0, ID)),
  },
};
