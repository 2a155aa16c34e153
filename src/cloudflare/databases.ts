import { Databases, type NamedDatabase } from "#store/placement";

/** Bindings of further databases in wrangler.toml. */
const FURTHER = /^DB_([2-9]|[1-9]\d)$/;

const numberOf = ({ name }: NamedDatabase) => Number(FURTHER.exec(name)?.[1]);

/** The D1 databases that are bound: `DB`, and `DB_2`, `DB_3` … in the order of their numbers. */
export function boundDatabases(env: Env): Databases {
  const further = Object.entries(env as unknown as Record<string, unknown>)
    .filter(([name, binding]) => FURTHER.test(name) && binding)
    .map(([name, binding]) => ({ name, db: binding as D1Database }))
    .sort((a, b) => numberOf(a) - numberOf(b));
  return new Databases([{ name: "DB", db: env.DB }, ...further]);
}
