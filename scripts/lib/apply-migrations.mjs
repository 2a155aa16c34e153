/**
 * Applies the migrations to each database of a deployment that exists. A database that was bound after the first deployment is created before, so
 * that it has its tables when the code that uses it is deployed.
 * @param {object} options
 * @param {string[]} options.bindings `DB` first
 * @param {(binding: string) => string} options.nameOf
 * @param {(args: string[]) => Promise<unknown>} options.run runs wrangler
 * @param {(name: string) => Promise<boolean>} options.exists whether there is a database with this name
 */
export async function applyMigrations({ bindings, nameOf, run, exists }) {
  for (const binding of bindings) {
    const name = nameOf(binding);
    if (binding !== "DB" && !(await exists(name))) await run(["d1", "create", name]);
    await run(["d1", "migrations", "apply", binding, "--remote"]);
  }
}
