// Lets a script import the project's TypeScript: resolves relative imports without an extension, or with `.js`, to .ts files, and compiles what
// stripping the types alone cannot, such as parameter properties.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

/** Compiles TypeScript to JavaScript, without Node's warning that its own function for this is experimental. */
function compile(source: string) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source, { mode: "transform" });
  } finally {
    process.emitWarning = emitWarning;
  }
}

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND" || !specifier.startsWith(".")) throw error;
      return next(`${specifier.replace(/\.js$/, "")}.ts`, context);
    }
  },
  load(url, context, next) {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
    return { format: "module", source: compile(readFileSync(fileURLToPath(url), "utf8")), shortCircuit: true };
  },
});
