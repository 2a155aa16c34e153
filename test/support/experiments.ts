/** Data sets and experiments over HTTP. */
import { all, call } from "./parley";
import type { DatasetItem } from "#workflow-kit/datasets";

/** An item as a request has it. */
export type NewItem = Omit<DatasetItem, "input" | "options"> & { input: object; options?: object };

/** Uploads a data set and closes it. Returns its id. */
export async function newDataset(key: string, items: readonly NewItem[], workflow = "plain"): Promise<string> {
  const { body } = await call("POST", "/v1/datasets", { key, body: { name: "Questions", workflow } });
  const uploaded = await call("POST", `/v1/datasets/${body.id}/items`, {
    key,
    body: items.map((item) => JSON.stringify(item)).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  if (uploaded.status >= 300) throw new Error(JSON.stringify(uploaded.body));
  const closed = await call("POST", `/v1/datasets/${body.id}/close`, { key });
  if (closed.status >= 300) throw new Error(JSON.stringify(closed.body));
  return body.id;
}

/** Multiple-choice questions of which A is right, which is the choice that the mock model takes. */
export const questions = (count: number): NewItem[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `q${index + 1}`,
    input: {
      question: `Which number is ${index + 1}?`,
      choices: [
        { label: "A", text: `${index + 1}` },
        { label: "B", text: `${index + 2}` },
      ],
    },
    gold: { choice: "A" },
    tags: [index % 2 ? "even" : "odd"],
  }));

/** The runs of an experiment's trials. */
export const trialsOf = (key: string, run: string): Promise<any[]> => all(key, `/v1/runs?parent_id=${run}`);
