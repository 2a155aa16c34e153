import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** What a local server is made of. */
const WATCHED = ["src", "workflows", "prompts", "migrations", "dist/assets/console", "wrangler.toml"];
/** An editor or a build writes several files in one go. Milliseconds. */
const SETTLED_MS = 200;

/**
 * Waits until a file of the Worker changes. It does not keep the process alive.
 * @param root of the repository
 * @param options `names`: of folders and files below the root; `signal` ends the wait
 */
export async function nextChange(
  root: string,
  { names = WATCHED, signal }: { names?: string[]; signal?: AbortSignal } = {},
) {
  let watchers: FSWatcher[] = [];
  try {
    await new Promise((changed) => {
      signal?.addEventListener("abort", changed, { once: true });
      watchers = names.map((name) =>
        watch(join(root, name), { recursive: true, persistent: false }, changed).on("error", changed),
      );
    });
    if (!signal?.aborted) await sleep(SETTLED_MS);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}
