import type { LiveCall } from "#core/live-call";
import { DurableObject } from "cloudflare:workers";
import { encodeEvent } from "#services/fields/present-event";
import { type FeedUpdate, type FeedPosition, RunFeed } from "#services/run-feed";
import { maintenanceAt } from "./compose";

/** The live feed of one run. It stores nothing: after a restart the next reader has it look into D1. */
export class EventFeed extends DurableObject<Env> {
  private feed: RunFeed | null = null;

  /** @param run id of the run, which is the object's name */
  next(run: string, position: FeedPosition, wait_ms: number): Promise<FeedUpdate> {
    return this.of(run).next(position, wait_ms);
  }

  announce(run: string): Promise<void> {
    return this.of(run).announce();
  }

  report(run: string, calls: LiveCall[]): void {
    this.of(run).report(calls);
  }

  private of(run: string): RunFeed {
    const { events } = maintenanceAt(this.env, { kind: "run", id: run }).store;
    this.feed ??= new RunFeed({
      read: async (after, limit) => (await events.after(run, after, limit)).map(encodeEvent),
      newest: () => events.newest(run),
    });
    return this.feed;
  }
}
