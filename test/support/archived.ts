/** Everything that the API answers about runs, and runs that are archived at once. */
import { all, bindings, call, until } from "./parley";
import type { RunRow } from "#store/rows";
import type { Store } from "#store/store";

/** Bodies of runs of each workflow in test mode. */
export const EACH_WORKFLOW: Record<string, object> = {
  requirements: { options: { qa_rounds: 1 } },
  waterfall: { workflow: "waterfall", input: { requirement: "Count to ten." }, options: { clarification: "skip" } },
  debate: {
    workflow: "debate",
    input: {
      question: "Must it be repaired?",
      evidence: [{ text: "A seller repairs what is broken.", source: "A law" }],
    },
    options: { rounds: 1 },
  },
  ideation: {
    workflow: "ideation",
    input: { topic: "Libraries that lend tools" },
    options: { paper_source: "none" },
  },
  plain: { workflow: "plain", input: { question: "How much?" }, options: { form: "text" } },
};

/** Paths of all GET routes about these runs, and of the lists in which they are; `#stream` asks for a stream. */
export async function pathsAbout(key: string, runs: readonly string[]): Promise<string[]> {
  const paths = ["/v1/runs?limit=100", "/v1/interactions?limit=100", "/v1/runs?status=completed&limit=2"];
  for (const run of runs) {
    const at = `/v1/runs/${run}`;
    paths.push(at, `${at}/manifest`, `/v1/runs?parent_id=${run}&limit=100`);
    paths.push(
      `${at}/events#stream`,
      `${at}/events?limit=100`,
      `${at}/events?limit=7`,
      `/v1/interactions?run_id=${run}`,
    );
    paths.push(`${at}/artifacts?limit=3`, `${at}/artifacts?limit=100`);
    const artifacts = await all(key, `${at}/artifacts`);
    const [first] = artifacts;
    paths.push(
      ...["kind", "stage", "role"].map((name) => `${at}/artifacts?${name}=${encodeURIComponent(first[name])}`),
    );
    for (const { id } of artifacts) paths.push(`${at}/artifacts/${id}`, `${at}/artifacts/${id}/content`);
    for (const { id, callback_url } of await all(key, `/v1/interactions?run_id=${run}`))
      paths.push(`/v1/interactions/${id}`, new URL(callback_url).pathname);
  }
  for (const { id } of await all(key, "/v1/webhook-endpoints")) {
    paths.push(`/v1/webhook-endpoints/${id}/deliveries`, `/v1/webhook-endpoints/${id}/deliveries?limit=2`);
    for (const delivery of await all(key, `/v1/webhook-endpoints/${id}/deliveries`))
      paths.push(`/v1/deliveries/${delivery.id}`);
  }
  return [...new Set(paths)];
}

/** What the API answers at these paths, as text: types and bodies of all pages. */
export async function answersAt(key: string, paths: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const path of paths) {
    const [url, isStream] = path.split("#");
    const accept = isStream ? "text/event-stream" : path.startsWith("/v1/callbacks/") ? "text/html" : "*/*";
    const pages: string[] = [];
    for (let cursor: string | null | undefined = ""; typeof cursor === "string";) {
      const reply = await call("GET", cursor ? `${url}&cursor=${cursor}` : url!, { key, headers: { accept } });
      if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
      pages.push(`${reply.headers.get("content-type")} ${JSON.stringify(reply.body)}`);
      cursor = reply.body.next_cursor;
    }
    answers.set(path, pages.join());
  }
  return answers;
}

/** At which of the paths the API answers something else by now. */
export async function changedSince(before: Map<string, string>, key: string): Promise<string[]> {
  const now = await answersAt(key, [...before.keys()]);
  return [...before].flatMap(([path, answer]) => (now.get(path) === answer ? [] : path));
}

const row = (id: string) => bindings.DB.prepare("SELECT * FROM runs WHERE id = ?").bind(id).first<RunRow>();

/** Archives a run, once the maintenance worker has settled all that is about it. */
export const archiveNow = (store: Store, id: string): Promise<string> =>
  until(`${id} is archived`, async () => {
    const outcome = await store.archive.archive((await row(id))!);
    return outcome !== "changed" && outcome;
  });

/** How many rows of a run D1 holds, in each of the tables that an archive replaces. */
export async function rowsIn(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ["artifacts", "events", "stages"])
    counts[table] = (await bindings.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE run_id = ?`)
      .bind(id)
      .first<number>("n"))!;
  counts.delivery_attempts = (await bindings.DB.prepare(
    "SELECT COUNT(*) AS n FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE run_id = ?)",
  )
    .bind(id)
    .first<number>("n"))!;
  return counts;
}

/** All rows of a run, and its own row without the marks of its archive. */
export async function storedRows(id: string): Promise<unknown> {
  const ofRun = ["artifacts", "events", "stages", "interactions", "deliveries"].map(
    (table) => `SELECT * FROM ${table} WHERE run_id = ?`,
  );
  const attempts = "SELECT a.* FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.run_id = ?";
  const results = await bindings.DB.batch<Record<string, unknown>>(
    [...ofRun, attempts, "SELECT *, NULL AS archive_base FROM runs WHERE id = ?"].map((sql) =>
      bindings.DB.prepare(sql).bind(id),
    ),
  );
  return results.map((rows) => rows.results.map((one) => JSON.stringify(one)).toSorted());
}
