import { useSyncExternalStore } from "react";

let broken = false;
const listeners = new Set<() => void>();

function tell(now: boolean): void {
  if (now === broken) return;
  broken = now;
  for (const listener of listeners) listener();
}

/** `fetch`, which notes whether the server can be reached. */
export async function monitoredFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    tell(false);
    return response;
  } catch (error) {
    if (!init.signal?.aborted) tell(true);
    throw error;
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says that the server cannot be reached, for as long as it is so. */
export function BrokenConnection() {
  const isBroken = useSyncExternalStore(subscribe, () => broken);
  return (
    <div role="status">
      {isBroken && (
        <p className="box waits">
          The connection to the server is broken. It is made again by itself; no event is lost.
        </p>
      )}
    </div>
  );
}
