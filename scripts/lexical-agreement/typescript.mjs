// Resolves relative imports without an extension to .ts files, so that a script can import the project's TypeScript; Node strips the types.
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
