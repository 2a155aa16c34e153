import type { Artifact } from "#workflow-kit/artifact";
import { languageOf } from "#workflow-kit/language";
import type { Retrieved } from "#workflow-kit/retrieval";
import { chooseOption, framePositions, proposeFraming, rankOptions } from "../actions";
import { consensusByRanking, solve, type SolverConsensus } from "./solving";
import { rankingSchema, type Authority, type Framing, type Position, type PositionAssignment } from "../artifacts";
import type { Context } from "../context";
import { MAX_DEBATERS } from "../contract";
import { distinctPositions, everyPosition, framedPositions, givenPositions, rankedPositions } from "../rules/positions";
import { isOpen, queryOf } from "../rules/question";
import { debaterName } from "../rules/topology";
import { withoutContent, type DebateState } from "../rules/debate-state";

export type GatheredEvidence = Pick<DebateState, "authorities" | "sources" | "missing" | "passages" | "not_shown">;

/** What the debate begins with; `consensus`: the answer when there is nothing to debate, else null. */
export type Prepared = GatheredEvidence & Pick<DebateState, "positions"> & { consensus: SolverConsensus | null };

/**
 * Round 0 (Silva et al., 3.2): the Retriever finds authorities, then positions are assigned. The authorities come first, because solvers, the
 * ranking of options and the theses of an open question rest on them.
 */
export async function prepare(context: Context): Promise<Prepared> {
  const gathered = await gather(context);
  return { ...gathered, ...(await assign(context, gathered)) };
}

/** The run's own evidence is shown whole up to this length: about 8,000 tokens, which every call of the run reads. Characters. */
const MAX_EVIDENCE_LENGTH = 32_000;

/** Collects the evidence pool that all debaters see. Under the profile `paper`, `top_k` bounds the run's own evidence too. */
export async function gather({ run, input, options, question }: Context): Promise<GatheredEvidence> {
  const { evidence = [], corpus_ids = [] } = input;
  if (options.top_k === 0 || evidence.length + corpus_ids.length === 0)
    return { authorities: [], sources: [], missing: [], passages: 0, not_shown: [] };
  const indexed = evidence.length
    ? (await run.retrieval.indexEvidence(withLanguage(evidence, question.language), { key: "given" })).content.documents
    : [];
  const found = await run.retrieval.search(
    {
      query: queryOf(question),
      limit: options.top_k,
      corpus_ids,
      jurisdiction: question.jurisdiction,
      whole_evidence: evidence.length && options.profile !== "paper" ? MAX_EVIDENCE_LENGTH : null,
    },
    { key: "question" },
  );
  return {
    authorities: extendEvidence([], authoritiesOf(found, { round: 0, requested_by: null })),
    sources: [withoutContent(found)],
    missing: found.content.missing_corpora,
    passages: corpus_ids.length ? null : indexed.reduce((sum, { passages }) => sum + passages, 0),
    not_shown: found.content.not_shown ?? [],
  };
}

/** The evidence with its language, for the terms of the search: that of its text, else the question's, if the request gives one. */
export const withLanguage = <T extends { text: string }>(evidence: readonly T[], language: string | null) =>
  evidence.map((piece) => {
    const own = languageOf(piece.text) ?? language;
    return { ...piece, ...(own ? { language: own } : {}) };
  });

/** An authority before it joins the others and gets a label. */
export type FoundAuthority = Omit<Authority, "label">;

export const authoritiesOf = (
  { content }: Artifact<Retrieved>,
  by: Pick<Authority, "round" | "requested_by">,
): FoundAuthority[] =>
  content.excerpts.map(
    ({ id, external_id, source: from, title, heading, jurisdiction, language, date, url, excerpt }) => ({
      id,
      external_id,
      source: from,
      title,
      heading: heading || null,
      jurisdiction,
      language,
      date,
      url,
      excerpt,
      ...by,
    }),
  );

/** The authorities with the new ones, each once and with the next label. The order of `found` must not reveal the requester. */
export function extendEvidence(authorities: readonly Authority[], found: readonly FoundAuthority[]): Authority[] {
  const known = new Set(authorities.map(({ id }) => id));
  const fresh = found.filter(
    ({ id }, index) => !known.has(id) && found.findIndex((other) => other.id === id) === index,
  );
  return [
    ...authorities,
    ...fresh.map((authority, index) => ({ ...authority, label: `S${authorities.length + index + 1}` })),
  ];
}

type Evidence = Pick<DebateState, "authorities" | "sources">;

async function assign(context: Context, evidence: Evidence): Promise<Pick<Prepared, "positions" | "consensus">> {
  const open = isOpen(context.question);
  const { mode, positions, consensus = null } = await (open ? frame(context, evidence) : choose(context, evidence));
  if (consensus) return { positions: [], consensus };
  const content: PositionAssignment = {
    mode,
    positions: positions.map((position, index) => ({ ...position, debater: debaterName(index + 1) })),
  };
  await context.run.record({ action: "assign_positions", role: "judge", kind: "position_assignment", content });
  return { positions, consensus };
}

interface Assigned {
  mode: PositionAssignment["mode"];
  positions: Position[];
  consensus?: SolverConsensus | null;
}

/** Assigns choices; there are never more debaters than choices. */
async function choose(context: Context, evidence: Evidence): Promise<Assigned> {
  const { question, options } = context;
  const { authorities, sources } = evidence;
  const { choices } = question;
  const count = Math.min(options.debaters, choices.length);
  if (Array.isArray(options.positions)) return { mode: "given", positions: givenPositions(options.positions, choices) };
  if (options.positions === "free") {
    const preferences = await context.run.parallel(numbers(count), (member) =>
      context.run.step(
        chooseOption,
        { question, authorities },
        { ...metadataOf(member), iteration: member, inputs: sources },
      ),
    );
    return {
      mode: "free",
      positions: distinctPositions(
        preferences.map(({ content }) => content),
        choices,
      ),
    };
  }
  if (options.positions === "all_options" && choices.length <= MAX_DEBATERS)
    return { mode: "all_options", positions: everyPosition(choices) };
  if (options.positions === "ranked" && options.solvers > 0) {
    const { positions, consensus } = await solve(context, evidence);
    return { mode: "solved", positions: positions.slice(0, count), consensus };
  }
  const ranked = await context.run.step(
    rankOptions,
    { question, authorities },
    { key: "1", iteration: 1, inputs: sources },
  );
  const ranking = rankingSchema.parse(ranked.content);
  const positions = rankedPositions(ranking, choices);
  const most = options.positions === "all_options" ? MAX_DEBATERS : count;
  const consensus = options.positions === "ranked" ? consensusByRanking(context, ranked, positions[0]!) : null;
  return { mode: options.positions, positions: positions.slice(0, most), consensus };
}

/** Assigns theses to an open question (spec: "Position assignment"). */
async function frame(context: Context, { authorities, sources }: Evidence): Promise<Assigned> {
  const { run, question, options, seed } = context;
  if (Array.isArray(options.positions)) {
    const given = options.positions.map((thesis) => ({ thesis, governing_rule: null }));
    return { mode: "given", positions: framedPositions(given, seed) };
  }
  const free = options.positions === "free";
  const proposals = free
    ? await run.parallel(numbers(options.debaters), (member) =>
        context.run.step(
          proposeFraming,
          { question, authorities },
          { ...metadataOf(member), iteration: member, inputs: sources },
        ),
      )
    : [];
  const framings = await context.run.step(
    framePositions,
    { question, authorities, count: options.debaters, proposals: proposals.map(({ content }): Framing => content) },
    { key: "1", iteration: 1, inputs: [...sources, ...proposals] },
  );
  return { mode: free ? "free" : "ranked", positions: framedPositions(framings.content.framings, seed) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const metadataOf = (member: number) => ({ key: debaterName(member), subject: debaterName(member), member });
