import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Outages, Request } from "./client.ts";

/** Pause between keyed writes, and their kinds. Milliseconds. */
const WRITE_INTERVAL = 400;

/**
 * Sets the faults of lab/chaos/worker.ts.
 * @param url of the server
 * @param injects false: the server is the real Worker, and nothing is set
 */
export const storageControl = (url: string, injects: boolean) => ({
  /** @returns the faults so far, by binding */
  async set(faults: { rate?: number; delayed?: number; away_until?: number }): Promise<Record<string, number>> {
    if (!injects) return {};
    const response = await fetch(`${url}/chaos/faults`, { method: "PUT", body: JSON.stringify(faults) });
    return (await response.json()) as Record<string, number>;
  },
});

/** Takes D1 and R2 away for so many seconds each, with pauses between. */
export async function storageStorms({
  seconds,
  control,
  outages,
  say,
  over,
}: {
  seconds: number[];
  control: ReturnType<typeof storageControl>;
  outages: Outages;
  say: (text: string) => void;
  over: () => boolean;
}) {
  for (const length of seconds) {
    await sleep(8000);
    if (over()) return;
    const outage = { from: Date.now(), to: Date.now() + length * 1000 };
    outages.storage.push(outage);
    say(`D1 and R2 are away for ${length} s.`);
    await control.set({ away_until: outage.to }).catch(() => {}); // a kill may come at the same time
    await sleep(length * 1000);
  }
}

/**
 * Writes under keys until the runs are over, each until it is answered.
 * @returns violations of the promise that a keyed POST makes one thing
 */
export async function writeUnderKeys(
  api: Client,
  { seed, over }: { seed: string; over: () => boolean },
): Promise<string[]> {
  const corpus = (await api.send("POST", "/v1/corpora", { body: { name: "Chaos" }, headers: key(seed, "corpus") })).body
    .id;
  const path = `/v1/corpora/${corpus}/documents`;
  let documents = 0;
  let agents = 0;
  while (!over()) {
    const document = { source: "Chaos", text: `Document ${documents} of the storm.` };
    await expectCreated(api, path, { body: document, headers: key(seed, `document-${documents++}`) });
    if (documents % 5 === 0) {
      const agent = { name: `Chaos ${agents}`, scopes: ["runs:read"], mode: "test" };
      await expectCreated(api, "/v1/keys", { body: agent, headers: key(seed, `key-${agents++}`) });
    }
    await sleep(WRITE_INTERVAL);
  }
  const [found, keys] = [await api.all(path), await api.all("/v1/keys")];
  const made = keys.filter(({ name }) => name.startsWith("Chaos "));
  return [
    ...(found.length === documents ? [] : [`${documents} keyed POSTs made ${found.length} documents`]),
    ...(made.length === agents ? [] : [`${agents} keyed POSTs made ${made.length} API keys`]),
  ];
}

const key = (seed: string, name: string) => ({ "idempotency-key": `chaos-${seed}-${name}` });

async function expectCreated(api: Client, path: string, request: Request) {
  const { status, body } = await api.send("POST", path, request);
  if (status !== 201) throw new Error(`POST ${path} got ${status}: ${JSON.stringify(body)}`);
}
