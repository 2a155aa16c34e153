import { setTimeout as sleep } from "node:timers/promises";
import type { Outages } from "../lib/client.ts";

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
export async function storageStorms(options: {
  seconds: number[];
  control: ReturnType<typeof storageControl>;
  outages: Outages;
  say: (text: string) => void;
  over: () => boolean;
}) {
  const { seconds, control, outages, say, over } = options;
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
