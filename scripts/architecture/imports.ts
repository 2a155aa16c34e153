import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ResolverFactory } from "oxc-resolver";

/** All that one file imports from another by one specifier. Paths are relative to the root, with `/`. */
export interface Import {
  from: string;
  to: string;
  /** as it is written */
  specifier: string;
  /** names that are imported as values; `*` for a whole module, or for an import without names */
  values: string[];
}

const SOURCES = ["src/**/*.{ts,tsx}", "workflows/**/*.ts"];

/** Reads the imports of `src` and `workflows`, resolved to files of the tree. Imports of types count, imports of packages do not. */
export function readImports(root: string): { files: string[]; imports: Import[] } {
  const tsconfig = join(root, "tsconfig.json");
  const resolver = new ResolverFactory({
    extensions: [".ts", ".tsx", ".d.ts", ".mjs", ".json"],
    conditionNames: ["import", "default"],
    ...(existsSync(tsconfig) ? { tsconfig: { configFile: tsconfig } } : {}),
  });
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.endsWith(".d.ts"))
    .sort();
  const imports = files.flatMap((from) =>
    [...importsOf(from, readFileSync(join(root, from), "utf8"))].flatMap(([specifier, values]) => {
      if (!/^[.#]/.test(specifier)) return [];
      const { path } = resolver.sync(dirname(join(root, from)), specifier);
      // Generated files, and modules that only a declaration describes, are not part of the tree.
      return path && !relative(root, path).startsWith("dist")
        ? [{ from, to: relative(root, path).replaceAll("\\", "/"), specifier, values: [...values] }]
        : [];
    }),
  );
  return { files, imports };
}

/** @returns the names imported as values, by specifier */
function importsOf(file: string, text: string): Map<string, Set<string>> {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found = new Map<string, Set<string>>();
  const add = (specifier: string, values: string[]) =>
    found.set(specifier, new Set([...(found.get(specifier) ?? []), ...values]));
  const valuesOf = (entries: { isType: boolean; importName: { name: string | null } }[]) =>
    entries.filter(({ isType }) => !isType).map(({ importName }) => importName.name ?? "*");
  for (const { moduleRequest, entries } of module.staticImports)
    add(moduleRequest.value, entries.length ? valuesOf(entries) : ["*"]);
  for (const { entries } of module.staticExports)
    for (const entry of entries) if (entry.moduleRequest) add(entry.moduleRequest.value, valuesOf([entry]));
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === "Literal") add(String(source.value), ["*"]);
    },
    TSImportType: ({ source }) => add(source.value, []),
  }).visit(program);
  return found;
}
