import type { Demo } from "./demo.ts";
import type { Json } from "../lib/api.ts";
import { bold, dim, green, indent, say, table, yellow } from "../lib/terminal.ts";

export const title = "a topic becomes ranked research ideas and proposals";

const TOPIC =
  "novel prompting methods that can better quantify uncertainty or calibrate the confidence of large language models";

export const request: Demo["request"] = (topic = TOPIC) => ({
  workflow: "ideation",
  input: { topic },
  options: {
    preset: "recommended",
    trials: 2,
    ideas: 4,
    proposals: 1,
    tournament_rounds: 4,
    reviews: ["kept_ideas"],
    bank_size: 20,
  },
});

export const subject: Demo["subject"] = ({ input }) => input.topic;

/** Default answers to questions. */
export const suggestions: Demo["suggestions"] = {
  answer: ({ default: given }) => given ?? "As you think best.",
  feedback: () => "",
};

/** Prints trials, papers, ideas, ranking and the best proposal. */
export const show: Demo["show"] = async (output, artifacts, content) => {
  for (const artifact of artifacts.filter(({ kind }) => kind === "trial")) showTrial(await content(artifact));
  const { metrics, dropped, ideas, ranking, proposals, paper_source, documents } = output;
  say(bold("Papers") + dim(` ${paper_source.papers} from ${paper_source.source}`));
  if (paper_source.note) say(`  ${yellow(paper_source.note)}`);
  say(
    bold("\nIdeas") +
      dim(
        ` ${metrics.kept} of ${metrics.ideas} are no duplicates (${metrics.measure?.model}, ${metrics.measure?.threshold})`,
      ),
  );
  const name = new Map<string, string>(ideas.map((idea: Json) => [idea.id, idea.name]));
  for (const { idea, because } of dropped)
    say(
      dim(
        `  ✗ ${name.get(idea)}: ${because.cause.replace("_", " ")}${because.similar_to ? `, ${name.get(because.similar_to)}` : ""}${because.reason ? `. ${because.reason}` : ""}`,
      ),
    );
  say(bold("\nRanking"));
  say(
    table(
      ["place", "score", "idea"],
      ranking.map(({ place, score, name: idea }: Json) => [String(place), String(score), idea]),
    ),
  );
  for (const { document } of proposals) say(`\n${green("Proposal")}\n\n${indent(document.text.trim())}\n`);
  if (documents.report) say(dim("The artifact report_markdown has all of this in one document.\n"));
};

const showTrial = ({ trial, seed, critics, dialogues }: Json) =>
  say(
    `${bold(`Trial ${trial}`)} ${dim(`seed ${seed}; critics: ${critics.map(({ name }: Json) => name).join(", ")}; ${dialogues.map(({ critiques, revisions }: Json) => `${critiques.length} critiques, ${revisions.length} revisions`).join("; ")}`)}`,
  );
