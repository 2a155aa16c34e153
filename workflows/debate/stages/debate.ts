import type { Artifact } from "#workflow-kit/artifact";
import { cosine } from "#workflow-kit/vectors";
import { findMisconceptions, requestSnippet, writeOpening, writeRebuttal } from "../actions";
import type { Misconceptions, Pruning } from "../artifacts";
import type { Context } from "../context";
import type { ReadBrief, RequestSnippetInput } from "../inputs";
import { briefTokens, readBriefs } from "../rules/briefs";
import { argumentOf, byVectors, bySharedWords, prune, pruningsIn } from "../rules/interventions";
import { debaterName, visibleTo, type Statement } from "../rules/topology";
import { authoritiesOf, extendEvidence, type FoundAuthority } from "./preparation";
import { debatersOf, heldBy, idsOf, statementsOf, withoutContent, type DebateState } from "../rules/debate-state";
import { positionAfter } from "../rules/positions";

/** Round 1: all debaters write their openings in parallel. */
export async function open(context: Context, state: DebateState): Promise<Statement[]> {
  const { run, question, options } = context;
  return run.parallel(debatersOf(state), async (debater) => {
    const position = heldBy(debater, state);
    const brief = await context.run.step(
      writeOpening,
      { question, authorities: state.authorities, position, brief_tokens: briefTokens(options, question) },
      { ...metadataOf(debater, 1), inputs: state.sources },
    );
    return { debater, round: 1, position: position.label, brief, shown: idsOf(state.authorities) };
  });
}

type Rebuttals = Pick<DebateState, "authorities" | "sources" | "missing"> & { statements: Statement[] };

/**
 * Round r: every debater reads the briefs that it may see, and may request evidence. All debaters see the evidence found for any of
 * them before they write, so that each side can answer it.
 */
export async function rebut(context: Context, state: DebateState, round: number): Promise<Rebuttals> {
  const { run, question, options } = context;
  const readingOf = await prepareReading(context, state, round);
  const sides = debatersOf(state).map((debater) => {
    const { read, answers, ...briefs } = readingOf(debater);
    return { debater, read, answers, side: { question, position: heldBy(debater, state), round, ...briefs } };
  });
  const found = mayRequest(context, state)
    ? await run.parallel(sides, (side) => requestEvidence(context, state, side))
    : sides.map((): Found => ({ requests: [], sources: [], missing: [] }));
  const fresh = found.flatMap(({ requests }) => requests.flatMap((request) => request.authorities));
  const authorities = extendEvidence(state.authorities, fresh.toSorted(byId));
  const sources = [...state.sources, ...found.flatMap((request) => request.sources)];
  const statements = await run.parallel(sides, async ({ debater, read, answers, side }, index) => {
    const { position } = side;
    const brief = await context.run.step(
      writeRebuttal,
      {
        ...side,
        authorities,
        requested: found[index]!.requests.map(({ query, authorities: retrieved }) => ({
          query,
          found: retrieved.map(({ id }) => authorities.find((authority) => authority.id === id)!.label),
        })),
        brief_tokens: briefTokens(options, question),
        open_positions: options.free_to_switch ? state.positions : [],
      },
      { ...metadataOf(debater, round), inputs: [...sources, ...read] },
    );
    const held = positionAfter(position.label, brief.content, state.positions, options.free_to_switch);
    return { debater, round, position: held, brief, answers, shown: idsOf(authorities) };
  });
  const missing = [...new Set([...state.missing, ...found.flatMap((request) => request.missing)])];
  return { statements, authorities, sources, missing };
}

const metadataOf = (debater: number, round: number) => ({
  key: `round_${round}.${debaterName(debater)}`,
  iteration: round,
  member: debater,
  subject: debaterName(debater),
});

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

/** Whether a request could still find evidence. */
function mayRequest({ input, options }: Context, { authorities, passages }: DebateState): boolean {
  const { evidence = [], corpus_ids = [] } = input;
  if (options.snippets_per_rebuttal === 0 || options.top_k === 0) return false;
  if (evidence.length + corpus_ids.length === 0) return false;
  return passages === null || authorities.length < passages;
}

/** A debater who writes a rebuttal, the inputs of the rebuttal, and the artifacts of the briefs that the debater reads. */
interface Side {
  debater: number;
  read: readonly Artifact[];
  side: Omit<RequestSnippetInput, "authorities" | "most">;
}

interface Found {
  requests: { query: string; authorities: FoundAuthority[] }[];
  sources: Artifact[];
  missing: string[];
}

/** The new snippets of a rebuttal (Silva et al., 3.2, b): the debater writes queries, and the Retriever searches. */
async function requestEvidence(
  context: Context,
  { authorities, sources }: DebateState,
  { debater, read, side }: Side,
): Promise<Found> {
  const { run, input, options, question } = context;
  const most = options.snippets_per_rebuttal;
  const metadata = metadataOf(debater, side.round);
  const request = await context.run.step(
    requestSnippet,
    { ...side, authorities, most },
    { ...metadata, inputs: [...sources, ...read] },
  );
  const queries = request.content.queries.slice(0, most);
  const retrieved = await run.parallel(queries, (query, index) =>
    run.retrieval.search(
      // Earlier queries of the same debater may find the same passages; the limit leaves this query one of its own.
      {
        query,
        limit: index + 1,
        corpus_ids: input.corpus_ids ?? [],
        exclude: idsOf(authorities),
        jurisdiction: question.jurisdiction,
      },
      {
        key: `${metadata.key}.${index + 1}`,
        iteration: side.round,
        subject: metadata.subject,
        inputs: [request],
      },
    ),
  );
  const taken = new Set<string>();
  const requests = retrieved.map((artifact, index) => {
    const all = authoritiesOf(artifact, { round: side.round, requested_by: metadata.subject });
    const fresh = all.filter(({ id }) => !taken.has(id)).slice(0, 1);
    for (const { id } of fresh) taken.add(id);
    return { query: queries[index]!, authorities: fresh };
  });
  return {
    requests,
    sources: retrieved.map(withoutContent),
    missing: retrieved.flatMap(({ content }) => content.missing_corpora),
  };
}

interface Reading {
  own: ReadBrief[];
  opponents: ReadBrief[];
  /** Artifacts of these briefs. */
  read: Artifact[];
  answers: NonNullable<Statement["answers"]>;
}

/** The briefs that each debater reads before its rebuttal: selected by topology, then by the interventions. */
async function prepareReading(
  context: Context,
  state: DebateState,
  round: number,
): Promise<(debater: number) => Reading> {
  const { options } = context;
  const { rounds, positions } = state;
  const strength = ({ position, brief }: Statement) =>
    positions.find(({ label }) => label === position)?.probability ?? brief.content.confidence;
  const visible = new Map(
    debatersOf(state).map((debater) => [debater, visibleTo(debater, rounds, options.topology, strength)] as const),
  );
  const misconceptions = options.interventions.includes("misconception_refutation")
    ? await findMisconceptionsIn(context, state, round)
    : new Map<string, Misconceptions["misconceptions"]>();
  const remaining = pruningsIn(options.interventions).length
    ? await pruneBriefs(context, visible, rounds.flat(), round)
    : visible;
  return (debater) => {
    const mine = statementsOf(debater, state);
    const own = options.topology === "full" ? mine : mine.slice(-1);
    const opponents = remaining.get(debater) ?? [];
    return {
      own: readBriefs(own, positions, misconceptions),
      opponents: readBriefs(opponents, positions, misconceptions),
      read: [...own, ...opponents].map(({ brief }) => brief),
      answers: opponents.map(({ debater: author, round: written }) => ({ debater: author, round: written })),
    };
  };
}

/** Misconceptions in the briefs of the previous round, for their authors and their readers; by "<round> <debater>". */
async function findMisconceptionsIn(
  context: Context,
  { rounds, positions, authorities }: DebateState,
  round: number,
): Promise<Map<string, Misconceptions["misconceptions"]>> {
  const last = rounds.at(-1) ?? [];
  const found = await context.run.parallel(last, async (statement) => {
    const name = debaterName(statement.debater);
    const { content } = await context.run.step(
      findMisconceptions,
      { question: context.question, authorities, statement: readBriefs([statement], positions)[0]! },
      { key: `round_${round}.${name}`, iteration: round - 1, subject: name, inputs: [statement.brief] },
    );
    return [`${statement.round} ${name}`, content.misconceptions] as const;
  });
  return new Map(found);
}

async function pruneBriefs(
  context: Context,
  visible: ReadonlyMap<number, readonly Statement[]>,
  statements: readonly Statement[],
  round: number,
): Promise<ReadonlyMap<number, readonly Statement[]>> {
  const { run, question, options } = context;
  const texts = [...statements.map(({ brief }) => argumentOf(brief.content)), question.text];
  const embedded = await run.retrieval.embed(texts, { key: `round_${round}`, iteration: round });
  const similarity = embedded ? byVectors(embedded.vectors, cosine) : bySharedWords(texts);
  const { remaining, kept, dropped } = prune(visible, statements, similarity, pruningsIn(options.interventions));
  const content: Pruning = {
    round,
    measure: embedded ? "embedding" : "shared words",
    model: embedded?.model ?? null,
    kept,
    dropped,
  };
  const inputs = statements.map(({ brief }) => brief);
  const by = { action: "prune_briefs", role: "retriever", iteration: round, inputs };
  await run.record({ ...by, kind: "pruning", content });
  return remaining;
}
