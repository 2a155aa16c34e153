// @ts-check
// The one script in JavaScript: it runs before `npm ci`, on whatever Node the machine has. So it cannot take scripts/lib/command.ts either.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillIntegrity, withoutEntry, withoutIntegrity } from "./lockfile/integrity.mjs";

const HELP = `npm run verify:lockfile -- [file] [options]

Checks that every downloaded package in package-lock.json has \`integrity\`, on every platform.

  --fix   asks the registry for what is missing, and writes it
  --help  prints this text

Example: npm run verify:lockfile -- --fix
`;

function given() {
  try {
    return parseArgs({
      options: { fix: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
      allowPositionals: true,
    });
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split(". ");
    process.stderr.write(`${sentence}. \`npm run verify:lockfile -- --help\` says what it takes.\n`);
    process.exit(2);
  }
}

const { values, positionals } = given();
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const file = positionals[0] ?? join(import.meta.dirname, "../package-lock.json");

/**
 * Asks the registry.
 * @param {string} spec `name@version`
 * @returns {string | undefined} undefined where the registry does not have this version
 */
function lookUp(spec) {
  const { error, status, stdout, stderr } = spawnSync("npm", ["view", spec, "dist.integrity", "--json"], {
    encoding: "utf8",
  });
  if (error) throw error;
  const answer = stdout.trim() ? JSON.parse(stdout) : undefined;
  if (answer?.error?.code === "E404") return undefined;
  if (status !== 0) throw new Error(`npm view ${spec} failed:\n${stderr}`);
  return answer;
}

let lockfile = JSON.parse(readFileSync(file, "utf8"));
if (values.fix) {
  lockfile = fillIntegrity(lockfile, lookUp);
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
}

const unchecked = withoutIntegrity(lockfile).map(({ location, spec }) => `  ${spec} (${location})`);
const absent = withoutEntry(lockfile).map(({ location, name }) => `  ${name} (optional dependency of ${location})`);
if (unchecked.length) {
  const advice = values.fix
    ? "The registry does not serve these versions to you, or they come from another address. Choose versions of the packages that need them for which it serves all platforms."
    : "Run `npm run verify:lockfile -- --fix`, which asks the registry, and commit package-lock.json.";
  console.error(
    `Packages in package-lock.json without integrity: ${unchecked.length}\n${unchecked.join("\n")}\n${advice}`,
  );
}
if (absent.length) {
  console.error(
    `Optional dependencies without an entry in package-lock.json, which some platforms would lack: ${absent.length}\n${absent.join("\n")}\nRestore their entries, or choose versions of the packages that need them for which the registry serves all platforms.`,
  );
}
if (unchecked.length || absent.length) process.exit(1);
console.log(
  `package-lock.json has the integrity of every downloaded package (${Object.keys(lockfile.packages).length} entries).`,
);
