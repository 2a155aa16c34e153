import type { Kind } from "../kinds.ts";
import { jsonLines, jsonOf, type Row } from "../files.ts";

/** The publishers' topics, by the names of their files. */
const TOPICS = ["bias", "coding", "safety", "multilingual", "factuality", "math", "uncertainty"];
/** Papers of a topic; a run draws what a dialogue sees from the best. */
const MAX_PAPERS = 24;

const paper = ({ title, abstract, year }: Row) => ({ title, abstract: abstract.slice(0, 10_000), year: year ?? null });
const item = (topic: string, description: string, papers: Row[]) => ({
  id: `topic_${topic}`,
  input: {
    topic: description,
    papers: papers
      .filter(({ abstract }) => abstract)
      .slice(0, MAX_PAPERS)
      .map(paper),
  },
});

/** One batch of ideas, which are ranked without proposals. */
const SIZE = { ideas: 5, trials: 2, tournament_rounds: 5 };

/**
 * Research topics (Ueda et al., 4). `versus` runs the paper's recommended configuration and its baseline in one pool, whose ranking gives
 * precision at N, mean score and win rate.
 */
export const ideation: Kind = {
  name: "ideation",
  title: "research topics that need ideas",
  workflow: "ideation",
  variants: [
    { name: "panel", workflow: "ideation", options: { ...SIZE, proposals: 2 } },
    { name: "paper", workflow: "ideation", options: { ...SIZE, profile: "paper" } },
    { name: "single", workflow: "ideation", options: { ...SIZE, proposals: 2, preset: "baseline" } },
  ],
  further: [
    {
      name: "versus",
      workflow: "ideation",
      options: { ...SIZE, compare: ["recommended", "baseline"], profile: "paper" },
    },
  ],
  without: "`plain` is left out: its reply holds no separate ideas that could be counted or ranked.",
  metrics: ["non_duplicate_ratio", "idea_quality"],
  metrics_of: { versus: ["precision_at", "tournament_score", "tournament_win_rate"] },
  published: {
    name: "Topics and paper banks of Si et al. 2024 (AI-Researcher)",
    where: "github.com/NoviScl/AI-Researcher, cache_results_claude_may/lit_review_new/",
    licence: "MIT; the abstracts belong to their authors",
    folders: ["ideation", "cache_results_claude_may/lit_review_new"],
    files:
      "<topic>_prompting_method.json with {topic_description, paper_bank}, or topics.json with paper_bank_top24.jsonl",
  },
  read(folder) {
    const topics = jsonOf(folder, "topics.json");
    if (topics) {
      const bank = jsonLines(folder, "paper_bank_top24.jsonl", { needed: true }) ?? [];
      const papers = (name: string) => bank.filter(({ topic }) => topic === name);
      return { items: topics.map(({ topic, description }: Row) => item(topic, description, papers(topic))) };
    }
    const items = TOPICS.flatMap((topic) => {
      const of = jsonOf(folder, `${topic}_prompting_method.json`);
      return of ? [item(topic, of.topic_description, of.paper_bank)] : [];
    });
    return items.length ? { items } : null;
  },
};
