import { expect, test } from "vitest";
import { HELP, readArguments } from "../../../scripts/experiment/arguments.ts";
import { KINDS } from "../../../scripts/experiment/kinds.ts";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));

test("a kind alone means its default variants, one repetition, our sample, and no money", () => {
  const { kind, variants, ...rest } = read("mgsm");
  expect(kind!.name).toBe("mgsm");
  expect(variants.map(({ name }: { name: string }) => name)).toEqual(["waagents", "paper", "single", "plain"]);
  expect(rest).toMatchObject({ repetitions: 1, live: false, yes: false, reuse: false, server: null });
  expect([rest.items, rest.data, rest.run]).toEqual([undefined, undefined, undefined]);
});

test("every flag is read, and variants keep their order", () => {
  const read1 = read(
    "ideation --items 2 --tags easy,hard --variants single,versus --repetitions 3 --reuse --data d --out o --yes --live",
  );
  expect(read1.variants.map(({ name }: { name: string }) => name)).toEqual(["single", "versus"]);
  expect(read1).toMatchObject({
    items: 2,
    tags: ["easy", "hard"],
    repetitions: 3,
    reuse: true,
    data: "d",
    out: "o",
    yes: true,
    live: true,
  });
  expect(read("mgsm --url http://127.0.0.1:8787 --key parley_test_x").server).toEqual({
    url: "http://127.0.0.1:8787",
    key: "parley_test_x",
  });
  expect(read("--run run_1 --url http://x.test --key parley_live_x")).toMatchObject({ kind: null, run: "run_1" });
});

test.each([
  [
    "",
    "Name a kind: mgsm, bfcl, mt-bench, oab, mmlu-law, ideation, requirements. `npm run experiment -- --help` says more.",
  ],
  ["gsm", "There is no kind gsm; there is mgsm, bfcl, mt-bench, oab, mmlu-law, ideation, requirements."],
  ["mgsm oab", "Name one kind; there are 2: mgsm, oab."],
  ["mgsm --items 0", '--items is "0"; write a whole number from 1 to 5000.'],
  ["mgsm --repetitions 2.5", '--repetitions is "2.5"; write a whole number from 1 to 20.'],
  ["mgsm --variants waagents,best", 'mgsm has no variant "best"; it has waagents, paper, single, plain.'],
  ["mgsm --variants plain,plain", "--variants names plain twice; name each variant once."],
  ["mgsm --key parley_test_x", "--key needs --url, the address of the server that knows the key."],
  ["mgsm --url http://x.test", "--url needs --key, an API key of that server."],
  ["mgsm --url x --key parley_test_x", '--url is "x"; write an address such as http://127.0.0.1:8787.'],
  ["mgsm --run run_1", "--run continues with an experiment as it was started; leave the kind out."],
])("%j is refused with what to write instead", (line, message) => {
  expect(() => read(line)).toThrow(expect.objectContaining({ message, exit: 2 }));
});

test("a key whose mode does not fit --live is refused before anything is sent", () => {
  expect(() => read("mgsm --url http://x.test --key parley_live_x")).toThrow(
    /The key is live, so this would cost money/,
  );
  expect(() => read("mgsm --live --url http://x.test --key parley_test_x")).toThrow(/--live needs a live key/);
});

test("an unknown flag is named, with where flags are listed", () => {
  expect(() => read("mgsm --modell x")).toThrow(/--modell.*--help` lists the flags/);
});

test("the help names every kind, every flag of the arguments and every exit code", () => {
  for (const { name } of KINDS) expect(HELP).toContain(`  ${name} `);
  for (const flag of [
    "data",
    "items",
    "variants",
    "repetitions",
    "reuse",
    "live",
    "yes",
    "url",
    "key",
    "run",
    "out",
    "help",
  ])
    expect(HELP).toContain(`--${flag}`);
  expect(HELP).toMatch(/0 done; 1 .*; 2 .*; 3 .*; 130 /s);
});
