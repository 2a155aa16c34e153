import type { Kind } from "../kinds.ts";
import { PLAIN, WATERFALL } from "./variants.ts";
import { jsonLines, rowsOf } from "../files.ts";

const item = (id: string, question: string | undefined, answer: string | number | undefined) => ({
  id,
  input: { requirement: question },
  gold: { number: Number(String(answer).replaceAll(",", "")) },
});

/** School problems whose answer is one number (WaAgents, table 1). */
export const mgsm: Kind = {
  name: "mgsm",
  title: "school problems whose answer is one number",
  workflow: "waterfall",
  variants: [...WATERFALL, { ...PLAIN, options: { form: "line" } }],
  metrics: ["number_match"],
  published: {
    name: "MGSM (Shi et al. 2022, arXiv:2210.03057)",
    where: "github.com/google-research/url-nlp, mgsm/",
    licence: "CC BY 4.0",
    folders: ["mgsm"],
    files: "mgsm_en.tsv (question, tab, answer), or mgsm_en.jsonl with {id, question, answer}",
  },
  /** English, as in the paper. */
  read(folder) {
    const lines = jsonLines(folder, "mgsm_en.jsonl");
    if (lines) return { items: lines.map(({ id, question, answer }) => item(id, question, answer)) };
    const rows = rowsOf(folder, "mgsm_en.tsv", "\t");
    return (
      rows && {
        items: rows.map(([question, answer], index) =>
          item(`mgsm_en_${String(index).padStart(3, "0")}`, question, answer),
        ),
      }
    );
  },
};
