import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./wrangler.ts";

/** Set in the bundle of `npm run operator` (scripts/serve/build.ts), beside which there is no folder of workflows. */
declare const WORKFLOWS: string[] | undefined;

/** Names of the published workflows. */
export const workflowNames = (): string[] =>
  typeof WORKFLOWS === "undefined"
    ? readdirSync(join(ROOT, "workflows"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : WORKFLOWS;
