// Lets scripts import the project's TypeScript, whose relative imports have no extension: Node strips the types itself.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (error.code !== "ERR_MODULE_NOT_FOUND" || !specifier.startsWith(".")) throw error;
      return next(`${specifier}.ts`, context);
    }
  },
});
