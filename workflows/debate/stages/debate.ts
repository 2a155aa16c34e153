import type { Artifact } from "../../../src/engine/artifact";
import { cosine } from "../../../src/engine/vectors";
import { findMisconceptions, requestSnippet, writeOpening, writeRebuttal } from "../actions";
import { KINDS, type Authority, type Misconceptions, type Pruning } from "../artifacts";
import { heldBy, idsOf, perform, positionAfter, publish, readBriefs, seatsOf, type Case, type Floor } from "../case";
import type { ReadBrief } from "../inputs";
import { argumentOf, byVectors, bySharedWords, prune, prunes } from "../interventions";
import { debaterName, visibleTo, type Statement } from "../topology";
import { authoritiesOf, source } from "./preparation";

/** Round 1: every debater opens, all at once. */
export async function open(theCase: Case, floor: Floor): Promise<Statement[]> {
  const { run, question, options } = theCase;
  return run.parallel(seatsOf(floor), async (debater) => {
    const position = heldBy(debater, floor);
    const brief = await perform(
      theCase,
      writeOpening,
      { question, authorities: floor.pool, position, brief_tokens: options.brief_tokens },
      { ...seat(debater, 1), inputs: floor.sources },
    );
    return { debater, round: 1, position: position.label, brief, shown: idsOf(floor.pool) };
  });
}

type Rebutted = Pick<Floor, "pool" | "sources" | "missing"> & { statements: Statement[] };

/** Round r: every debater reads what it may see, may ask for evidence, and writes its brief anew. No side waits for another. */
export async function rebut(theCase: Case, floor: Floor, round: number): Promise<Rebutted> {
  const { run, question, options } = theCase;
  const reading = await readingOf(theCase, floor, round);
  const rebuttals = await run.parallel(seatsOf(floor), async (debater) => {
    const position = heldBy(debater, floor);
    const { own, opponents, read } = reading(debater);
    const side = { question, position, round, own, opponents };
    const found = await ask(theCase, floor, debater, side, read);
    const authorities = joined(floor.pool, found.authorities);
    const brief = await perform(
      theCase,
      writeRebuttal,
      {
        ...side,
        authorities,
        brief_tokens: options.brief_tokens,
        open_positions: options.free_to_switch ? floor.positions : [],
      },
      { ...seat(debater, round), inputs: [...floor.sources, ...found.sources, ...read] },
    );
    const held = positionAfter(position.label, brief.content, floor.positions, options.free_to_switch);
    return { statement: { debater, round, position: held, brief, shown: idsOf(authorities) }, found };
  });
  return {
    statements: rebuttals.map(({ statement }) => statement),
    pool: joined(
      floor.pool,
      rebuttals.flatMap(({ found }) => found.authorities),
    ),
    sources: [...floor.sources, ...rebuttals.flatMap(({ found }) => found.sources)],
    missing: [...new Set([...floor.missing, ...rebuttals.flatMap(({ found }) => found.missing)])],
  };
}

const seat = (debater: number, round: number) => ({
  key: `round_${round}.${debaterName(debater)}`,
  iteration: round,
  member: debater,
  subject: debaterName(debater),
});

/** The pool with what is new in it; two debaters may have been given the same. */
const joined = (pool: readonly Authority[], found: readonly Authority[]): Authority[] => {
  const all = [...pool];
  for (const authority of found) if (!all.some(({ id }) => id === authority.id)) all.push(authority);
  return all;
};

interface Found {
  authorities: Authority[];
  sources: Artifact[];
  missing: string[];
}

/** The one new snippet of a rebuttal (Silva et al., 3.2, b): what is asked for, the Retriever finds; it joins the shared pool. */
async function ask(
  theCase: Case,
  { pool, sources }: Floor,
  debater: number,
  side: {
    question: Case["question"];
    position: ReturnType<typeof heldBy>;
    round: number;
    own: ReadBrief[];
    opponents: ReadBrief[];
  },
  read: readonly Artifact[],
): Promise<Found> {
  const { run, input, options } = theCase;
  const { evidence = [], corpus_ids = [] } = input;
  const most = options.snippets_per_rebuttal;
  const found: Found = { authorities: [], sources: [], missing: [] };
  if (most === 0 || options.top_k === 0 || evidence.length + corpus_ids.length === 0) return found;
  const how = seat(debater, side.round);
  const request = await perform(
    theCase,
    requestSnippet,
    { ...side, authorities: pool, most },
    { ...how, inputs: [...sources, ...read] },
  );
  for (const [index, query] of request.content.queries.slice(0, most).entries()) {
    const retrieved = await run.retrieve(
      { query, limit: 1, corpus_ids, exclude: idsOf([...pool, ...found.authorities]) },
      {
        key: `${how.key}.${index + 1}`,
        iteration: side.round,
        subject: how.subject,
        inputs: [request],
        sendTo: KINDS.authorities.send_to,
      },
    );
    found.authorities.push(...authoritiesOf(retrieved, { round: side.round, requested_by: how.subject }));
    found.sources.push(source(retrieved));
    found.missing.push(...retrieved.content.missing_corpora);
  }
  return found;
}

interface Reading {
  own: ReadBrief[];
  opponents: ReadBrief[];
  /** Artifacts of all that. */
  read: Artifact[];
}

/** What each debater reads before its rebuttal: by topology, then by the interventions. */
async function readingOf(theCase: Case, floor: Floor, round: number): Promise<(debater: number) => Reading> {
  const { options } = theCase;
  const { rounds, positions } = floor;
  const strength = ({ position, brief }: Statement) =>
    positions.find(({ label }) => label === position)?.probability ?? brief.content.confidence;
  const seats = seatsOf(floor);
  const visible = new Map(seats.map((one) => [one, visibleTo(one, rounds, options.topology, strength)] as const));
  const misconceptions = options.interventions.includes("misconception_refutation")
    ? await refute(theCase, floor, round)
    : new Map<string, Misconceptions["misconceptions"]>();
  const left = prunes(options).length ? await pruned(theCase, visible, rounds.flat(), round) : visible;
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
  theCase: Case,
  { rounds, positions, pool }: Floor,
  round: number,
): Promise<Map<string, Misconceptions["misconceptions"]>> {
  const last = rounds.at(-1) ?? [];
  const found = await theCase.run.parallel(last, async (statement) => {
    const name = debaterName(statement.debater);
    const { content } = await perform(
      theCase,
      findMisconceptions,
      { question: theCase.question, authorities: pool, statement: readBriefs([statement], positions)[0]! },
      { key: `round_${round}.${name}`, iteration: round - 1, subject: name, inputs: [statement.brief] },
    );
    return [`${statement.round} ${name}`, content.misconceptions] as const;
  });
  return new Map(found);
}

async function pruned(
  theCase: Case,
  visible: ReadonlyMap<number, readonly Statement[]>,
  statements: readonly Statement[],
  round: number,
): Promise<ReadonlyMap<number, readonly Statement[]>> {
  const { run, question, options } = theCase;
  const texts = [...statements.map(({ brief }) => argumentOf(brief.content)), question.text];
  const embedded = await run.embed(texts, { key: `round_${round}`, iteration: round });
  const likeness = embedded ? byVectors(embedded.vectors, cosine) : bySharedWords(texts);
  const { left, kept, dropped } = prune(visible, statements, likeness, prunes(options));
  const record: Pruning = {
    round,
    measure: embedded ? "embedding" : "shared words",
    model: embedded?.model ?? null,
    kept,
    dropped,
  };
  const inputs = statements.map(({ brief }) => brief);
  await publish(theCase, "pruning", record, { action: "prune_briefs", role: "retriever", iteration: round, inputs });
  return left;
}
