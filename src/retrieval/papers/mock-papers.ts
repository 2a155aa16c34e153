import type { PaperQuery, SourcePaper } from "../types";

const APPROACHES = [
  "Contrastive Decoding",
  "Retrieval with Verification",
  "Iterative Self-Critique",
  "Program-Aided Steps",
  "Debate among Agents",
  "Calibrated Sampling",
  "Decomposed Instructions",
  "Memory of Past Errors",
  "Constrained Generation",
  "Synthetic Demonstrations",
];

const SUBJECTS = ["open questions", "long documents", "several languages", "small models", "noisy input"];

/** Replaces the source in test mode: invented papers about the query, which say that they do not exist. */
export function mockPapers(query: PaperQuery, limit: number): SourcePaper[] {
  const about = query.kind === "keyword" ? query.text : `what ${query.paper_id} is about`;
  const relation = { keyword: "on", recommendations: "near to", references: "behind" }[query.kind];
  const key = hash(`${query.kind} ${about}`);
  return Array.from({ length: Math.min(limit, APPROACHES.length) }, (_, index) => {
    const approach = APPROACHES[(key + index) % APPROACHES.length]!;
    const subject = SUBJECTS[(key + 3 * index) % SUBJECTS.length]!;
    return {
      id: `mock-${key.toString(16)}-${index + 1}`,
      title: `${approach} for ${subject}: work ${relation} ${clipped(about)}`,
      abstract: [
        `This abstract was made by the mock model; no such paper exists. It stands for work ${relation} ${clipped(about)}.`,
        `The authors apply ${approach.toLowerCase()} to ${subject}, describe each step and the prompts that it takes, and compare with three baselines.`,
        `On four public data sets the method gains ${2 + ((key + index) % 7)} points over the strongest of them; an ablation shows which step the gain comes from, and where the method fails.`,
      ].join(" "),
      year: 2019 + ((key + index) % 7),
      citations: (key + 13 * index) % 240,
      url: null,
    };
  });
}

const clipped = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

const hash = (text: string): number =>
  [...text].reduce((sum, character) => (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0, 7) % 100_000;
