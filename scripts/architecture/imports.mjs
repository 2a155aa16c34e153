import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ResolverFactory } from "oxc-resolver";

/**
 * @typedef {object} Import One import between two files of the tree. Paths are relative to the root, with `/`.
 * @property {string} from
 * @property {string} to
 * @property {string} specifier As it is written.
 * @property {string[]} values Names that are imported as values; `*` for a whole module or an import for its effect.
 */

const SOURCES = ["src/**/*.{ts,tsx}", "workflows/**/*.ts"];

/**
 * Reads the imports of `src` and `workflows`, types included, resolved to files of the tree. Imports of packages are left out.
 * @param {string} root
 * @returns {{ files: string[], imports: Import[] }}
 */
export function readImports(root) {
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
    importsOf(from, readFileSync(join(root, from), "utf8")).flatMap(({ specifier, values }) => {
      if (!/^[.#]/.test(specifier)) return [];
      const { path } = resolver.sync(dirname(join(root, from)), specifier);
      // What a build makes, and modules that declarations alone describe, are no files of the tree.
      return path && !relative(root, path).startsWith("dist")
        ? [{ from, to: relative(root, path).replaceAll("\\", "/"), specifier, values }]
        : [];
    }),
  );
  return { files, imports };
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {{ specifier: string, values: string[] }[]}
 */
function importsOf(file, text) {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const found = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const values = entries.filter(({ isType }) => !isType).map(({ importName }) => importName.name ?? "*");
    found.push({ specifier: moduleRequest.value, values: entries.length ? values : ["*"] });
  }
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType, importName } of entries)
      if (moduleRequest) found.push({ specifier: moduleRequest.value, values: isType ? [] : [importName.name ?? "*"] });
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === "Literal") found.push({ specifier: source.value, values: ["*"] });
    },
    TSImportType: ({ source }) => found.push({ specifier: source.value, values: [] }),
  }).visit(program);
  return found;
}
