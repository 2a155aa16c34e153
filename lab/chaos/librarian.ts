import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../lib/client.ts";

/** A client that makes one thing of each kind under a key of its own, beside the runs. It repeats each request until it has an answer. */

const TEXT = "A signed offer by a merchant to buy or sell goods is not revocable for lack of consideration.";
const PROFILE = {
  description: "Reads statutes.",
  capabilities: ["Reading"],
  when_to_use: "For statutes.",
  input: "A question.",
  output: "An answer.",
  instructions: "Answer the question.",
};

/**
 * What is made, by the path of its collection.
 * @param corpus id
 * @param hooks URL of the receiver of webhooks
 */
const thingsIn = (corpus: string, hooks: string) => [
  { path: "/v1/keys", body: (name: string) => ({ name, mode: "test" }) },
  { path: "/v1/webhook-endpoints", body: (name: string) => ({ url: `${hooks}/${name}`, events: ["run.failed"] }) },
  { path: "/v1/agents", body: (name: string) => ({ name, ...PROFILE }) },
  { path: `/v1/corpora/${corpus}/documents`, body: (name: string) => ({ source: name, language: "en", text: TEXT }) },
];

interface Options {
  hooks: string;
  /** of the things of each kind */
  names: string[];
  /** milliseconds before each request */
  pause: () => number;
  /** resolves when no more faults are injected */
  calm: Promise<unknown>;
  report: (violation: string) => void;
}

/** Makes the things, and checks at the end that each is there once. */
export async function keepLibrary(api: Client, { hooks, names, pause, calm, report }: Options) {
  const make = async (path: string, body: object, key: string) => {
    await sleep(pause());
    const { status, body: made } = await api.send("POST", path, { body, headers: { "idempotency-key": key } });
    if (status >= 300) report(`POST ${path} under ${key} got ${status}: ${JSON.stringify(made)}`);
    return made;
  };
  const corpus = await make("/v1/corpora", { name: "Statutes" }, "corpus");
  const made = [{ path: "/v1/corpora", name: "Statutes", id: corpus.id }];
  const things = thingsIn(corpus.id, hooks).flatMap(({ path, body }) =>
    names.map((name) => ({ path, name, body: body(name) })),
  );
  await Promise.all(
    things.map(async ({ path, name, body }) => {
      const { id } = await make(path, body, `${path}#${name}`);
      made.push({ path, name, id });
    }),
  );
  await calm;
  for (const { path, name, id } of made) {
    const all = (await api.all(path)).filter((item) =>
      [item.name, item.source, item.url?.split("/").at(-1)].includes(name),
    );
    if (all.length !== 1) report(`one POST to ${path} under one key made ${all.length} things`);
    else if (all[0].id !== id) report(`a POST to ${path} was answered with ${id}, and ${all[0].id} is stored`);
  }
}
