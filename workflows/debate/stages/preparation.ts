import type { Artifact } from "#workflow-kit/artifact";
import type { Retrieved } from "#workflow-kit/retrieval";
import { chooseOption, framePositions, proposeFraming, rankOptions } from "../actions";
import type { Authority, Framing, Position, PositionAssignment } from "../artifacts";
import type { DebateContext } from "../context";
import { MOST_DEBATERS } from "../contract";
import { distinctPositions, everyPosition, framedPositions, givenPositions, rankedPositions } from "../rules/positions";
import { isOpen, queryOf } from "../rules/question";
import { debaterName } from "../rules/topology";
import { runBoth, withoutContent, type DebateState } from "../rules/debate-state";

export type GatheredEvidence = Pick<DebateState, "pool" | "sources" | "missing" | "passages">;

/**
 * Round 0 (Silva et al., 3.2): the Retriever finds authorities while positions are assigned. Theses of an open question are framed
 * after retrieval, because the authorities must support them.
 */
export async function prepare(context: DebateContext): Promise<GatheredEvidence & Pick<DebateState, "positions">> {
  if (isOpen(context.question)) {
    const gathered = await gather(context);
    return { ...gathered, positions: await assign(context, gathered) };
  }
  const [gathered, positions] = await runBoth(
    context.run,
    () => gather(context),
    () => assign(context, { pool: [], sources: [] }),
  );
  return { ...gathered, positions };
}

/** Collects the evidence pool that all debaters see. */
export async function gather({ run, input, options, question }: DebateContext): Promise<GatheredEvidence> {
  const { evidence = [], corpus_ids = [] } = input;
  if (options.top_k === 0 || evidence.length + corpus_ids.length === 0)
    return { pool: [], sources: [], missing: [], passages: 0 };
  const indexed = evidence.length
    ? (await run.indexEvidence(withLanguage(evidence, question.language), { key: "given" })).content.documents
    : [];
  const found = await run.retrieve({ query: queryOf(question), limit: options.top_k, corpus_ids }, { key: "question" });
  return {
    pool: extendPool([], authoritiesOf(found, { round: 0, requested_by: null })),
    sources: [withoutContent(found)],
    missing: found.content.missing_corpora,
    passages: corpus_ids.length ? null : indexed.reduce((sum, { passages }) => sum + passages, 0),
  };
}

/** The evidence with the question's language, if the request gives one. */
export const withLanguage = <T extends object>(evidence: readonly T[], language: string | null) =>
  evidence.map((piece) => ({ ...piece, ...(language ? { language } : {}) }));

/** An authority before it enters the pool and gets a label. */
export type FoundAuthority = Omit<Authority, "label">;

export const authoritiesOf = (
  { content }: Artifact<Retrieved>,
  by: Pick<Authority, "round" | "requested_by">,
): FoundAuthority[] =>
  content.excerpts.map(({ id, source: from, title, heading, jurisdiction, language, date, url, excerpt }) => ({
    id,
    source: from,
    title,
    heading: heading || null,
    jurisdiction,
    language,
    date,
    url,
    excerpt,
    ...by,
  }));

/** The pool with the new authorities, each once and with the next label. The order of `found` must not reveal the requester. */
export function extendPool(pool: readonly Authority[], found: readonly FoundAuthority[]): Authority[] {
  const known = new Set(pool.map(({ id }) => id));
  const fresh = found.filter(
    ({ id }, index) => !known.has(id) && found.findIndex((other) => other.id === id) === index,
  );
  return [...pool, ...fresh.map((authority, index) => ({ ...authority, label: `S${pool.length + index + 1}` }))];
}

type Evidence = Pick<DebateState, "pool" | "sources">;

async function assign(context: DebateContext, evidence: Evidence): Promise<Position[]> {
  const { mode, positions } = isOpen(context.question) ? await frame(context, evidence) : await choose(context);
  const content: PositionAssignment = {
    mode,
    positions: positions.map((position, index) => ({ ...position, debater: debaterName(index + 1) })),
  };
  await context.run.record({ action: "assign_positions", role: "judge", kind: "position_assignment", content });
  return positions;
}

interface Assigned {
  mode: PositionAssignment["mode"];
  positions: Position[];
}

/** Assigns choices; there are never more debaters than choices. */
async function choose(context: DebateContext): Promise<Assigned> {
  const { question, options } = context;
  const { choices } = question;
  const count = Math.min(options.debaters, choices.length);
  if (Array.isArray(options.positions)) return { mode: "given", positions: givenPositions(options.positions, choices) };
  if (options.positions === "free") {
    const preferences = await context.run.parallel(numbers(count), (member) =>
      context.run.act(chooseOption, { question }, { ...metadataOf(member), iteration: member }),
    );
    return {
      mode: "free",
      positions: distinctPositions(
        preferences.map(({ content }) => content),
        choices,
      ),
    };
  }
  if (options.positions === "all_options" && choices.length <= MOST_DEBATERS)
    return { mode: "all_options", positions: everyPosition(choices) };
  const ranking = await context.run.act(rankOptions, { question }, { key: "1", iteration: 1 });
  const most = options.positions === "all_options" ? MOST_DEBATERS : count;
  return { mode: options.positions, positions: rankedPositions(ranking.content, choices, most) };
}

/** Assigns theses to an open question (spec: "Position assignment"). */
async function frame(context: DebateContext, { pool: authorities, sources }: Evidence): Promise<Assigned> {
  const { run, question, options, seed } = context;
  if (Array.isArray(options.positions)) {
    const given = options.positions.map((thesis) => ({ thesis, governing_rule: null }));
    return { mode: "given", positions: framedPositions(given, seed) };
  }
  const free = options.positions === "free";
  const proposals = free
    ? await run.parallel(numbers(options.debaters), (member) =>
        context.run.act(
          proposeFraming,
          { question, authorities },
          { ...metadataOf(member), iteration: member, inputs: sources },
        ),
      )
    : [];
  const framings = await context.run.act(
    framePositions,
    { question, authorities, count: options.debaters, proposals: proposals.map(({ content }): Framing => content) },
    { key: "1", iteration: 1, inputs: [...sources, ...proposals] },
  );
  return { mode: free ? "free" : "ranked", positions: framedPositions(framings.content.framings, seed) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const metadataOf = (member: number) => ({ key: debaterName(member), subject: debaterName(member), member });
