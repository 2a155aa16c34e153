/**
 * Applies the migrations to each database of a deployment that exists. A database that was bound after the first deployment is created before, so
 * that it has its tables when the code that uses it is deployed.
 */
export async function applyMigrations(target: {
  /** `DB` first */
  bindings: string[];
  nameOf: (binding: string) => string;
  /** runs wrangler */
  run: (args: string[]) => Promise<unknown>;
  /** whether there is a database with this name */
  exists: (name: string) => Promise<boolean>;
}) {
  for (const binding of target.bindings) {
    const name = target.nameOf(binding);
    if (binding !== "DB" && !(await target.exists(name))) await target.run(["d1", "create", name]);
    await target.run(["d1", "migrations", "apply", binding, "--remote"]);
  }
}
