import type { Kind } from "../kinds.ts";
import { DEBATE, PLAIN } from "./variants.ts";
import { jsonLines, type Row } from "../files.ts";

const document = ({ id, source, jurisdiction, lang, article, text }: Row) => ({
  external_id: id,
  source: `${source}, ${article}`,
  jurisdiction,
  language: lang,
  text,
});

const item = ({ id, question, options, answer, gold_passages, subject }: Row) => ({
  id,
  input: {
    question,
    choices: Object.entries(options).map(([label, text]) => ({ label, text })),
    jurisdiction: "BR",
    language: "pt",
  },
  gold: { choice: answer, authorities: gold_passages },
  tags: [subject],
});

/** Legal questions over a corpus, with the articles that a right answer rests on (Silva et al., 4). */
export const oab: Kind = {
  name: "oab",
  title: "legal questions with choices, over a corpus of articles",
  workflow: "debate",
  variants: DEBATE,
  further: [PLAIN],
  without:
    "`plain` is left out: it cites nothing, and citations are compared. For accuracy alone: --variants debate,single,plain.",
  metrics: ["accuracy", "citation_correctness", "citation_coverage", "citation_f1", "position_changes"],
  published: {
    name: "OAB exams, first phase, with the articles that justify the answers",
    where:
      "github.com/legal-nlp/oab-exams (its justifications, questions and statutes have to be joined into the two files first)",
    licence: "MIT; the statutes are public law",
    folders: ["legal_oab_mcq"],
    files:
      "gold_questions.jsonl with {id, question, options, answer, subject, gold_passages}, and passages.jsonl with {id, source, jurisdiction, lang, article, text}",
  },
  read(folder) {
    const questions = jsonLines(folder, "gold_questions.jsonl");
    if (!questions) return null;
    const documents = jsonLines(folder, "passages.jsonl", { needed: true })?.map(document);
    return { items: questions.filter(({ valid }) => valid !== false).map(item), documents };
  },
};
