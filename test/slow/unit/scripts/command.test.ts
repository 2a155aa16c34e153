/** What a person sees who asks a command for help, or calls it wrongly: never a stack trace. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { argumentsOf, helpOf, type Option } from "../../../../scripts/lib/command.ts";

const ROOT = join(import.meta.dirname, "../../../..");

/** Commands of package.json whose last program is one of ours, and that program. The arguments of `npm test` and `npm run test:all` are vitest's. */
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const commands = Object.entries(scripts).flatMap(([name, text]) => {
  const [, program] = /node (?:--[\w-]+=\S+ )?((?:scripts|lab)\/[\w-]+\.m?[tj]s)(?: --check)?$/.exec(text) ?? [];
  return program && !name.startsWith("test") ? [{ name, program }] : [];
});

const call = (program: string, ...args: string[]) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { cwd: ROOT }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });

it("are all commands of ours", () => {
  expect(commands.length).toBeGreaterThan(23);
});

it.each(commands)(
  "$name has help, and answers an unknown option with one line",
  async ({ name, program }) => {
    const [help, wrong] = await Promise.all([call(program, "--help"), call(program, "--nonsense")]);
    expect(help).toMatchObject({ status: 0, stderr: "" });
    expect(help.stdout).toContain(`npm run ${name} --`);
    expect(help.stdout).toMatch(/\n\nExample: npm run .+\n$/);
    expect(wrong).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^Unknown option '--nonsense'\..*\n$/),
    });
  },
  60_000,
);

it("demo names its workflows", async () => {
  expect((await call("scripts/demo.ts", "waterfal")).stderr).toMatch(/^There is no demo of waterfal; .*waterfall/);
});

const options = {
  runs: { type: "string", value: "N", default: "8", help: "how many" },
  quick: { type: "boolean", help: "fewer" },
  only: { type: "string", multiple: true, help: "names" },
} as const satisfies Record<string, Option>;

it("options have their defaults, and those that may be repeated are lists", () => {
  expect(argumentsOf({ options }, ["--only", "a", "--only", "b"])).toEqual({
    values: { runs: "8", quick: false, only: ["a", "b"] },
    positionals: [],
  });
  expect(() => argumentsOf({ options }, ["more"])).toThrow("Unexpected argument 'more'");
  expect(() => argumentsOf({ options }, ["--runs", "--quick"])).toThrow(/^Option '--runs' argument is ambiguous$/);
});

it("help shows every option with its default", () => {
  expect(helpOf({ name: "run", what: "Runs.", options, example: "--quick" })).toBe(`npm run run -- [options]

Runs.

  --runs N     how many (8)
  --quick      fewer
  --only TEXT  names
  --help       prints this text

Example: npm run run -- --quick
`);
});
