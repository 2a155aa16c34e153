import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ICruiseResult, IModule } from "dependency-cruiser";
import config from "../.dependency-cruiser.mjs";
import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";

// dependency-cruiser reads TypeScript by an interface that TypeScript 7 does not have. The SDK's generator brings TypeScript 6.
const { resolve } = createRequire(join(ROOT, "clients/typescript/package.json"));
registerHooks({
  resolve: (specifier, context, next) =>
    /^typescript(\/|$)/.test(specifier) && context.parentURL?.includes("/dependency-cruiser/")
      ? { url: pathToFileURL(resolve(specifier)).href, shortCircuit: true }
      : next(specifier, context),
});

/**
 * Checks the imports of a tree against .dependency-cruiser.mjs.
 * @returns how many files there are, and a line for each violation
 */
export async function checkImports(root: string): Promise<{ files: number; violations: string[] }> {
  const { cruise } = await import("dependency-cruiser");
  const { forbidden, options } = config;
  const { output } = await cruise(["src", "workflows"], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  } as Parameters<typeof cruise>[1]);
  const { modules, summary } = output as ICruiseResult;
  const comments = new Map(forbidden.map(({ name, comment }) => [name, comment]));
  const broken = summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name).join(" → ") : to;
    return `${from === path ? from : `${from} → ${path}`}: ${comments.get(rule.name)}`;
  });
  return { files: modules.length, violations: [...new Set([...broken, ...lonelyInCore(modules)])].toSorted() };
}

/** A file enters core when two rooms besides api need it; `outbound` counts as one file. dependency-cruiser counts files only. */
function lonelyInCore(modules: IModule[]) {
  const entries = Map.groupBy(
    modules.filter(({ source }) => source.startsWith("src/core/")),
    ({ source }) => source.replace(/^(src\/core\/outbound)\/.*/, "$1"),
  );
  return [...entries].flatMap(([entry, files]) => {
    const users = files.flatMap(({ dependents = [] }) => dependents.map((file) => file.split("/")[1] ?? ""));
    const rooms = [...new Set(users)].filter((room) => room !== "core" && room !== "api");
    return rooms.length < 2
      ? [`${entry} is used by ${rooms.join() || "nobody"} only: a file enters core when two rooms besides api need it.`]
      : [];
  });
}

if (import.meta.main) {
  command({
    name: "verify:architecture",
    what: "Checks the imports of src and workflows against .dependency-cruiser.mjs. Exit code 1: a rule is violated.",
  });
  const { files, violations } = await checkImports(ROOT);
  console.log(`${files} files; violations of the architecture: ${violations.length}.`);
  if (violations.length > 0) {
    console.error(`\n${violations.join("\n")}\n\nARCHITECTURE.md explains the rooms.`);
    process.exitCode = 1;
  }
}
