/** What a person sees who calls a script wrongly: the reason and the usage, and no stack trace. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const call = (script: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.mjs`, ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

it.each(["dev", "demo", "deploy"])("%s says which flag is wrong, with its usage", (script) => {
  const { status, stdout, stderr } = call(script, "--prot", "1");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^Unknown option '--prot'.*\n\nnpm run ${script} `));
  expect(call(script, "--help")).toEqual({
    status: 0,
    stdout: expect.stringContaining(`npm run ${script} `),
    stderr: "",
  });
});

it("demo names its workflows", () => {
  expect(call("demo", "waterfal").stderr).toMatch(/^There is no demo of waterfal\.\n\nnpm run demo .*waterfall/s);
});
