/** Replaces `ulid` in a simulation: a world does not remember the ids of the world before it. */
import { monotonicFactory as newFactory } from "ulid";
import { currentWorld } from "./globals.mjs";

export function monotonicFactory() {
  /** @type {ReturnType<typeof newFactory> | undefined} */
  let ofWorld;
  let world;
  return () => {
    if (!ofWorld || world !== currentWorld()) ofWorld = newFactory();
    world = currentWorld();
    return ofWorld();
  };
}
