/** Packages that the Worker bundles without their unused parts still do what Parley asks of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSmallerPackages } from "../../../scripts/assets/smaller-packages.ts";

let folder: string;
beforeAll(async () => {
  // In the project, so that what stays outside of the modules is found.
  folder = mkdtempSync(join(import.meta.dirname, "../../../dist/smaller-"));
  await buildSmallerPackages(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, `${name}.mjs`)).href);

test("the client of model providers sends its key, and throws the errors of the package", async () => {
  const { OpenAI, APIError } = await load("openai");
  const seen: Request[] = [];
  const client = new OpenAI({
    apiKey: "sk-one",
    baseURL: "https://models.example/v1",
    maxRetries: 0,
    fetch: async (url: string, init: RequestInit) => {
      seen.push(new Request(url, init));
      return Response.json({ error: { message: "No." } }, { status: 401 });
    },
  });
  const asked = client.chat.completions.create({ model: "m", messages: [] });
  await expect(asked).rejects.toThrow(APIError);
  expect(seen[0]!.headers.get("authorization")).toBe("Bearer sk-one");
  expect(seen[0]!.url).toBe("https://models.example/v1/chat/completions");
});

test("it reads answers and vectors as they come", async () => {
  const { OpenAI } = await load("openai");
  const answer = { id: "1", choices: [{ index: 0, message: { role: "assistant", content: "Yes." } }] };
  const vectors = { data: [{ index: 0, embedding: [0.5, 1] }] };
  const client = new OpenAI({
    apiKey: "sk-one",
    fetch: async (url: string) => Response.json(url.endsWith("/embeddings") ? vectors : answer),
  });
  expect(await client.chat.completions.create({ model: "m", messages: [] })).toMatchObject(answer);
  const asked = { model: "m", input: ["a"], encoding_format: "float" };
  expect(await client.embeddings.create(asked)).toMatchObject(vectors);
});

test("what stands in the place of the packages under standardwebhooks signs as RFC 4231 has it, and decodes base64", async () => {
  const { encode, decode, hmac } = await import("../../../src/cloudflare/signing");
  const signature = hmac(new Uint8Array(20).fill(0x0b), new TextEncoder().encode("Hi There"));
  expect(Buffer.from(signature).toString("hex")).toBe(
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  );
  expect(encode(signature)).toBe("sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c=");
  expect([...decode(encode(signature))]).toEqual([...signature]);
});

test("it takes no login but a key", async () => {
  const { OpenAI } = await load("openai");
  const login = { workloadIdentity: { identityProviderId: "a", serviceAccountId: "b", provider: {} } };
  expect(() => new OpenAI(login)).toThrow("keys only");
});

test("Gherkin is parsed with English keywords, and another language is a fault", async () => {
  const { AstBuilder, GherkinClassicTokenMatcher, Parser } = await load("gherkin");
  const parse = (text: string) =>
    new Parser(new AstBuilder(() => "1"), new GherkinClassicTokenMatcher()).parse(text).feature;
  expect(parse("Feature: Leihen\n  Scenario: Eine Leiter\n    Given eine Leiter\n").name).toBe("Leihen");
  expect(() => parse("# language: de\nFunktionalität: Leihen\n")).toThrow("Language not supported: de");
});
