import type { Kind } from "../kinds.ts";
import { PLAIN, WATERFALL } from "./variants.ts";
import { jsonLines, type Row } from "../files.ts";

const CATEGORIES = ["simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance"];
/** Prefixes of the publishers' files, newest first. */
const EDITIONS = ["BFCL_v4_", "BFCL_v3_"];

/** `[{name: arguments}]` as calls. */
const callsOf = (truth: object[]) =>
  truth.flatMap((calls) => Object.entries(calls).map(([name, args]) => ({ name, arguments: args })));

/** Requests of one turn: those of several turns need the publishers' simulated services. */
const item =
  (category: string) =>
  ({ id, question, function: functions, ground_truth }: Row) => ({
    id,
    input: { requirement: question[0].map(({ content }: Row) => content).join("\n\n") },
    options: {
      functions: functions.map(({ name, description, parameters }: Row) => ({ name, description, parameters })),
    },
    gold: { calls: callsOf(ground_truth) },
    tags: [category],
  });

/** The rows of a category with their answers; null: its file is absent. */
function rowsOf(folder: string, category: string) {
  const joined = jsonLines(folder, `${category}.jsonl`);
  if (joined) return joined;
  for (const edition of EDITIONS) {
    const name = `${edition}${category}.json`;
    const rows = jsonLines(folder, name);
    if (!rows) continue;
    if (category === "irrelevance") return rows.map((row) => ({ ...row, ground_truth: [] }));
    const answers = new Map(
      jsonLines(folder, `possible_answer/${name}`, { needed: true })?.map(({ id, ground_truth }) => [id, ground_truth]),
    );
    return rows.filter(({ id }) => answers.has(id)).map((row) => ({ ...row, ground_truth: answers.get(row.id) }));
  }
  return null;
}

/** Requests that need calls of given functions (WaAgents, table 1). */
export const bfcl: Kind = {
  name: "bfcl",
  title: "requests that need calls of given functions",
  workflow: "waterfall",
  variants: [...WATERFALL, PLAIN],
  metrics: ["call_match"],
  published: {
    name: "Berkeley Function Calling Leaderboard, single turns",
    where: "github.com/ShishirPatil/gorilla, berkeley-function-call-leaderboard/bfcl_eval/data/",
    licence: "Apache-2.0",
    folders: ["bfcl", "bfcl_eval/data", "berkeley-function-call-leaderboard/bfcl_eval/data"],
    files:
      "BFCL_v4_<category>.json and possible_answer/BFCL_v4_<category>.json (or v3), or <category>.jsonl with the answers in `ground_truth`, for " +
      CATEGORIES.join(", "),
  },
  /** Categories take turns, so that the first items of the set are of all categories. */
  read(folder) {
    const found = CATEGORIES.map((category) => rowsOf(folder, category)?.map(item(category)) ?? []);
    const longest = Math.max(...found.map(({ length }) => length));
    const items = Array.from({ length: longest }, (_, nth) => found.flatMap((of) => of[nth] ?? [])).flat();
    return items.length ? { items } : null;
  },
};
