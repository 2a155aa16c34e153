import type { Artifact } from "#workflow-kit/artifact";
import { cosine } from "#workflow-kit/vectors";
import { findMisconceptions, requestSnippet, writeOpening, writeRebuttal } from "../actions";
import type { Misconceptions, Pruning } from "../artifacts";
import { idsOf, positionAfter, readBriefs, type DebateContext } from "../context";
import type { ReadBrief, RequestSnippetInput } from "../inputs";
import { argumentOf, byVectors, bySharedWords, prune, prunes } from "../rules/interventions";
import { debaterName, visibleTo, type Statement } from "../rules/topology";
import { admitted, authoritiesOf, source, type FoundAuthority } from "./preparation";
import { heldBy, seatsOf, type DebateState } from "../rules/debate-state";

/** Round 1: every debater opens, all at once. */
export async function open(theCase: DebateContext, floor: DebateState): Promise<Statement[]> {
  const { run, question, options } = theCase;
  return run.parallel(seatsOf(floor), async (debater) => {
    const position = heldBy(debater, floor);
    const brief = await theCase.run.act(
      writeOpening,
      { question, authorities: floor.pool, position, brief_tokens: options.brief_tokens },
      { ...seat(debater, 1), inputs: floor.sources },
    );
    return { debater, round: 1, position: position.label, brief, shown: idsOf(floor.pool) };
  });
}

type Rebutted = Pick<DebateState, "pool" | "sources" | "missing"> & { statements: Statement[] };

/**
 * Round r: every debater reads what it may see and may ask for evidence. What is found for any is shown to all before they write their
 * briefs anew, so that none is decided by what the other side could not answer.
 */
export async function rebut(theCase: DebateContext, floor: DebateState, round: number): Promise<Rebutted> {
  const { run, question, options } = theCase;
  const reading = await readingOf(theCase, floor, round);
  const sides = seatsOf(floor).map((debater) => {
    const { read, ...read_briefs } = reading(debater);
    return { debater, read, side: { question, position: heldBy(debater, floor), round, ...read_briefs } };
  });
  const found = mayAsk(theCase, floor)
    ? await run.parallel(sides, ({ debater, read, side }) => ask(theCase, floor, debater, side, read))
    : sides.map((): Found => ({ requests: [], sources: [], missing: [] }));
  const fresh = found.flatMap(({ requests }) => requests.flatMap(({ authorities }) => authorities));
  const pool = admitted(floor.pool, fresh.toSorted(byId));
  const sources = [...floor.sources, ...found.flatMap((one) => one.sources)];
  const statements = await run.parallel(sides, async ({ debater, read, side }, index) => {
    const { position } = side;
    const brief = await theCase.run.act(
      writeRebuttal,
      {
        ...side,
        authorities: pool,
        requested: found[index]!.requests.map(({ query, authorities }) => ({
          query,
          found: authorities.map(({ id }) => pool.find((authority) => authority.id === id)!.label),
        })),
        brief_tokens: options.brief_tokens,
        open_positions: options.free_to_switch ? floor.positions : [],
      },
      { ...seat(debater, round), inputs: [...sources, ...read] },
    );
    const held = positionAfter(position.label, brief.content, floor.positions, options.free_to_switch);
    return { debater, round, position: held, brief, shown: idsOf(pool) };
  });
  const missing = [...new Set([...floor.missing, ...found.flatMap((one) => one.missing)])];
  return { statements, pool, sources, missing };
}

const seat = (debater: number, round: number) => ({
  key: `round_${round}.${debaterName(debater)}`,
  iteration: round,
  member: debater,
  subject: debaterName(debater),
});

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

/** Whether there is anything left that a request could find. */
function mayAsk({ input, options }: DebateContext, { pool, passages }: DebateState): boolean {
  const { evidence = [], corpus_ids = [] } = input;
  if (options.snippets_per_rebuttal === 0 || options.top_k === 0) return false;
  if (evidence.length + corpus_ids.length === 0) return false;
  return passages === null || pool.length < passages;
}

interface Found {
  requests: { query: string; authorities: FoundAuthority[] }[];
  sources: Artifact[];
  missing: string[];
}

/** The one new snippet of a rebuttal (Silva et al., 3.2, b): what is asked for, the Retriever finds. */
async function ask(
  theCase: DebateContext,
  { pool, sources }: DebateState,
  debater: number,
  side: Omit<RequestSnippetInput, "authorities" | "most">,
  read: readonly Artifact[],
): Promise<Found> {
  const { run, input, options } = theCase;
  const most = options.snippets_per_rebuttal;
  const how = seat(debater, side.round);
  const request = await theCase.run.act(
    requestSnippet,
    { ...side, authorities: pool, most },
    { ...how, inputs: [...sources, ...read] },
  );
  const queries = request.content.queries.slice(0, most);
  const retrieved = await run.parallel(queries, (query, index) =>
    run.retrieve(
      // An earlier query of the same debater may find the same: then the next best is this one's.
      { query, limit: index + 1, corpus_ids: input.corpus_ids ?? [], exclude: idsOf(pool) },
      {
        key: `${how.key}.${index + 1}`,
        iteration: side.round,
        subject: how.subject,
        inputs: [request],
      },
    ),
  );
  const taken = new Set<string>();
  const requests = retrieved.map((one, index) => {
    const all = authoritiesOf(one, { round: side.round, requested_by: how.subject });
    const authorities = all.filter(({ id }) => !taken.has(id)).slice(0, 1);
    for (const { id } of authorities) taken.add(id);
    return { query: queries[index]!, authorities };
  });
  return { requests, sources: retrieved.map(source), missing: retrieved.flatMap((one) => one.content.missing_corpora) };
}

interface Reading {
  own: ReadBrief[];
  opponents: ReadBrief[];
  /** Artifacts of all that. */
  read: Artifact[];
}

/** What each debater reads before its rebuttal: by topology, then by the interventions. */
async function readingOf(
  theCase: DebateContext,
  floor: DebateState,
  round: number,
): Promise<(debater: number) => Reading> {
  const { options } = theCase;
  const { rounds, positions } = floor;
  const strength = ({ position, brief }: Statement) =>
    positions.find(({ label }) => label === position)?.probability ?? brief.content.confidence;
  const seats = seatsOf(floor);
  const visible = new Map(seats.map((one) => [one, visibleTo(one, rounds, options.topology, strength)] as const));
  const misconceptions = options.interventions.includes("misconception_refutation")
    ? await refute(theCase, floor, round)
    : new Map<string, Misconceptions["misconceptions"]>();
  const left = prunes(options.interventions).length ? await pruned(theCase, visible, rounds.flat(), round) : visible;
  return (debater) => {
    const mine = rounds.flat().filter((statement) => statement.debater === debater);
    const own = options.topology === "full" ? mine : mine.slice(-1);
    const opponents = left.get(debater) ?? [];
    return {
      own: readBriefs(own, positions, misconceptions),
      opponents: readBriefs(opponents, positions, misconceptions),
      read: [...own, ...opponents].map(({ brief }) => brief),
    };
  };
}

/** Misconceptions of the briefs of the round before, for their authors to correct and their opponents to know. */
async function refute(
  theCase: DebateContext,
  { rounds, positions, pool }: DebateState,
  round: number,
): Promise<Map<string, Misconceptions["misconceptions"]>> {
  const last = rounds.at(-1) ?? [];
  const found = await theCase.run.parallel(last, async (statement) => {
    const name = debaterName(statement.debater);
    const { content } = await theCase.run.act(
      findMisconceptions,
      { question: theCase.question, authorities: pool, statement: readBriefs([statement], positions)[0]! },
      { key: `round_${round}.${name}`, iteration: round - 1, subject: name, inputs: [statement.brief] },
    );
    return [`${statement.round} ${name}`, content.misconceptions] as const;
  });
  return new Map(found);
}

async function pruned(
  theCase: DebateContext,
  visible: ReadonlyMap<number, readonly Statement[]>,
  statements: readonly Statement[],
  round: number,
): Promise<ReadonlyMap<number, readonly Statement[]>> {
  const { run, question, options } = theCase;
  const texts = [...statements.map(({ brief }) => argumentOf(brief.content)), question.text];
  const embedded = await run.embed(texts, { key: `round_${round}`, iteration: round });
  const likeness = embedded ? byVectors(embedded.vectors, cosine) : bySharedWords(texts);
  const { left, kept, dropped } = prune(visible, statements, likeness, prunes(options.interventions));
  const record: Pruning = {
    round,
    measure: embedded ? "embedding" : "shared words",
    model: embedded?.model ?? null,
    kept,
    dropped,
  };
  const inputs = statements.map(({ brief }) => brief);
  const by = { action: "prune_briefs", role: "retriever", iteration: round, inputs };
  await run.record({ ...by, kind: "pruning", content: record });
  return left;
}
