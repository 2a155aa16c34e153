/** Replaces `ulid` in a simulation: a world does not remember the ids of the world before it. */
import { monotonicFactory as newFactory } from "ulid";
import { currentWorld } from "./globals.ts";

export function monotonicFactory() {
  let ofWorld: ReturnType<typeof newFactory> | undefined;
  let world: ReturnType<typeof currentWorld>;
  return () => {
    if (!ofWorld || world !== currentWorld()) ofWorld = newFactory();
    world = currentWorld();
    return ofWorld();
  };
}
