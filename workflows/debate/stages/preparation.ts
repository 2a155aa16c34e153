import type { Artifact } from "#workflow-kit/artifact";
import type { Retrieved } from "#workflow-kit/retrieval";
import { chooseOption, framePositions, proposeFraming, rankOptions } from "../actions";
import type { Authority, Framing, Position, PositionAssignment } from "../artifacts";
import { type DebateContext } from "../context";
import { MOST_DEBATERS } from "../contract";
import { distinctPositions, everyPosition, framedPositions, givenPositions, rankedPositions } from "../rules/positions";
import { isOpen, queryOf } from "../rules/question";
import { debaterName } from "../rules/topology";
import { both, type DebateState } from "../rules/debate-state";

export type Gathered = Pick<DebateState, "pool" | "sources" | "missing" | "passages">;

/**
 * Round 0 (Silva et al., 3.2): the Retriever finds authorities while positions are being assigned. Theses of an open question wait
 * for them, since they must be such as can be argued from what there is.
 */
export async function prepare(theCase: DebateContext): Promise<Gathered & Pick<DebateState, "positions">> {
  if (isOpen(theCase.question)) {
    const gathered = await gather(theCase);
    return { ...gathered, positions: await assign(theCase, gathered) };
  }
  const [gathered, positions] = await both(
    theCase.run,
    () => gather(theCase),
    () => assign(theCase, { pool: [], sources: [] }),
  );
  return { ...gathered, positions };
}

/** The evidence pool that everybody is shown. */
export async function gather({ run, input, options, question }: DebateContext): Promise<Gathered> {
  const { evidence = [], corpus_ids = [] } = input;
  if (options.top_k === 0 || evidence.length + corpus_ids.length === 0)
    return { pool: [], sources: [], missing: [], passages: 0 };
  const indexed = evidence.length
    ? (await run.indexEvidence(withLanguage(evidence, question.language), { key: "given" })).content.documents
    : [];
  const found = await run.retrieve({ query: queryOf(question), limit: options.top_k, corpus_ids }, { key: "question" });
  return {
    pool: admitted([], authoritiesOf(found, { round: 0, requested_by: null })),
    sources: [source(found)],
    missing: found.content.missing_corpora,
    passages: corpus_ids.length ? null : indexed.reduce((sum, { passages }) => sum + passages, 0),
  };
}

/** Evidence says no language of its own: it is taken to be in the question's, where that was told. */
export const withLanguage = <T extends object>(evidence: readonly T[], language: string | null) =>
  evidence.map((piece) => ({ ...piece, ...(language ? { language } : {}) }));

/** An authority that is not in the pool yet, and has no label. */
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

/** The pool with what is new in it, each once, under labels that count on. The order in which it is given must not tell who asked. */
export function admitted(pool: readonly Authority[], found: readonly FoundAuthority[]): Authority[] {
  const known = new Set(pool.map(({ id }) => id));
  const fresh = found.filter(({ id }, index) => !known.has(id) && found.findIndex((one) => one.id === id) === index);
  return [...pool, ...fresh.map((authority, index) => ({ ...authority, label: `S${pool.length + index + 1}` }))];
}

/** What later acts name as their input; its content stands in the pool already. */
export const source = (artifact: Artifact): Artifact => ({ ...artifact, content: null });

type Evidence = Pick<DebateState, "pool" | "sources">;

async function assign(theCase: DebateContext, evidence: Evidence): Promise<Position[]> {
  const { mode, positions } = isOpen(theCase.question) ? await frame(theCase, evidence) : await choose(theCase);
  const content: PositionAssignment = {
    mode,
    positions: positions.map((position, index) => ({ ...position, debater: debaterName(index + 1) })),
  };
  await theCase.run.record({ action: "assign_positions", role: "judge", kind: "position_assignment", content });
  return positions;
}

interface Assigned {
  mode: PositionAssignment["mode"];
  positions: Position[];
}

/** Never more debaters than there are choices. */
async function choose(theCase: DebateContext): Promise<Assigned> {
  const { question, options } = theCase;
  const { choices } = question;
  const count = Math.min(options.debaters, choices.length);
  if (Array.isArray(options.positions)) return { mode: "given", positions: givenPositions(options.positions, choices) };
  if (options.positions === "free") {
    const preferences = await theCase.run.parallel(numbers(count), (member) =>
      theCase.run.act(chooseOption, { question }, { ...seat(member), iteration: member }),
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
  const ranking = await theCase.run.act(rankOptions, { question }, { key: "1", iteration: 1 });
  const most = options.positions === "all_options" ? MOST_DEBATERS : count;
  return { mode: options.positions, positions: rankedPositions(ranking.content, choices, most) };
}

/** An open question: competing theses (spec: "Position assignment"). */
async function frame(theCase: DebateContext, { pool: authorities, sources }: Evidence): Promise<Assigned> {
  const { run, question, options, seed } = theCase;
  if (Array.isArray(options.positions)) {
    const given = options.positions.map((thesis) => ({ thesis, governing_rule: null }));
    return { mode: "given", positions: framedPositions(given, seed) };
  }
  const free = options.positions === "free";
  const proposals = free
    ? await run.parallel(numbers(options.debaters), (member) =>
        theCase.run.act(
          proposeFraming,
          { question, authorities },
          { ...seat(member), iteration: member, inputs: sources },
        ),
      )
    : [];
  const framings = await theCase.run.act(
    framePositions,
    { question, authorities, count: options.debaters, proposals: proposals.map(({ content }): Framing => content) },
    { key: "1", iteration: 1, inputs: [...sources, ...proposals] },
  );
  return { mode: free ? "free" : "ranked", positions: framedPositions(framings.content.framings, seed) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const seat = (member: number) => ({ key: debaterName(member), subject: debaterName(member), member });
