import { z } from "zod";
import type { Artifact } from "#workflow-kit/artifact";
import { quoted } from "#workflow-kit/text";
import { answerQuestion, askCrossQuestion } from "../actions";
import type { HumanReview } from "../artifacts";
import type { Context } from "../context";
import { briefsOf, briefTokens, lastBriefsOfOthers, readBriefs } from "../rules/briefs";
import { checkCitations, isInvented } from "../rules/citations";
import { evidenceSchema } from "../contract";
import type { ReadBrief } from "../inputs";
import { translationFor } from "../reports/parts";
import { reviewFile } from "../reports/review";
import { debaterName } from "../rules/topology";
import { authoritiesOf, extendEvidence, withLanguage, type FoundAuthority } from "./preparation";
import {
  debatersOf,
  heldBy,
  idsOf,
  lastBriefs,
  statementsOf,
  withoutContent,
  type DebateState,
  type SideReply,
} from "../rules/debate-state";

/** One targeted question to each side before judgment (Silva et al., 3.1), to all sides in parallel. */
export async function crossExamine(context: Context, state: DebateState): Promise<SideReply[]> {
  const { run, question } = context;
  return run.parallel(debatersOf(state), async (debater) => {
    const name = debaterName(debater);
    const side = { question, authorities: state.authorities, position: heldBy(debater, state) };
    const asked = await context.run.step(
      askCrossQuestion,
      { ...side, own: briefsWithFindings(context, state, debater), others: lastBriefsOfOthers(debater, state) },
      { key: name, iteration: 1, subject: name, inputs: lastBriefs(state) },
    );
    return askSide(context, state, debater, {
      asked_by: "cross_examiner",
      asked: asked.content.question,
      key: name,
      inputs: [asked],
    });
  });
}

/** A side's briefs with the results of the code's checks, which the Cross-Examiner can ask about. */
const briefsWithFindings = ({ question }: Context, state: DebateState, debater: number): ReadBrief[] =>
  statementsOf(debater, state).map((statement) => {
    const { round, shown, brief } = statement;
    const cited = { debater: debaterName(debater), round, citations: brief.content.citations, shown };
    const found = checkCitations([cited], state.authorities, question.jurisdiction);
    return {
      ...readBriefs([statement], state.positions)[0]!,
      found: found.map(({ foreign, quote_match, ...citation }) => ({
        foreign,
        quote_match,
        authority_known: !isInvented(citation),
      })),
    };
  });

async function askSide(
  context: Context,
  state: DebateState,
  debater: number,
  { asked_by, asked, key, inputs }: Pick<SideReply, "asked_by" | "asked"> & { key: string; inputs: Artifact[] },
): Promise<SideReply> {
  const answer = await context.run.step(
    answerQuestion,
    {
      question: context.question,
      authorities: state.authorities,
      position: heldBy(debater, state),
      brief_tokens: briefTokens(context.options, context.question),
      own: briefsOf(debater, state),
      others: lastBriefsOfOthers(debater, state),
      asked,
      asked_by,
    },
    { key, iteration: 1, member: debater, subject: debaterName(debater), inputs },
  );
  return { debater, asked_by, asked, answer, shown: idsOf(state.authorities) };
}

export interface Reviewed extends Pick<DebateState, "authorities" | "sources"> {
  rejected: boolean;
  note: string | null;
  replies: SideReply[];
}

/** A person's additions before judgment. JSON Schema states every rule, so that every accepted answer can be used. */
const additionsSchema = (debaters: [string, ...string[]]) =>
  z.strictObject({
    questions: z
      .array(
        z.strictObject({
          debater: z.enum(debaters).describe("The debater that is to answer."),
          question: z.string().max(5_000).regex(/\S/),
        }),
      )
      .max(12)
      .optional(),
    evidence: z.array(evidenceSchema).max(20).optional(),
  });

/**
 * A person reads the case and may add a note, questions to sides, and evidence. Every side comments on new evidence: a side without a
 * question is asked what the evidence changes.
 */
export async function review(context: Context, state: DebateState, replies: readonly SideReply[]): Promise<Reviewed> {
  const names = debatersOf(state).map(debaterName) as [string, ...string[]];
  const words = translationFor(context.question);
  const file = await context.run.record({
    kind: "review_file",
    content: reviewFile(context, state, replies),
    action: "write_review_file",
    role: "judge",
    inputs: [...lastBriefs(state), ...replies.map(({ answer }) => answer)],
  });
  const artifacts = [file];
  const answer = await context.run.ask({
    key: "review",
    kind: "feedback",
    prompt: words.reviewPrompt,
    artifacts,
    decisions: ["approve", "reject"],
    additions: additionsSchema(names),
  });
  const unchanged = {
    authorities: state.authorities,
    sources: state.sources,
    note: null,
    replies: [],
    rejected: false,
  };
  if (answer.status === "expired") return unchanged;
  const { questions = [], evidence = [] } = answer.additions;
  const note = answer.comment?.trim() || null;
  const content: HumanReview = {
    decision: answer.decision,
    note,
    questions,
    evidence: evidence.length,
    answered_by: answer.answered_by,
  };
  const by = { action: "human_interaction", role: "human", inputs: artifacts };
  const reviewed = await context.run.record({ ...by, kind: "human_review", content });
  if (answer.decision === "reject") return { ...unchanged, rejected: true };
  const added = evidence.length ? await indexEvidence(context, state, evidence) : { found: [], sources: [] };
  const extended = {
    ...state,
    authorities: extendEvidence(state.authorities, added.found),
    sources: [...state.sources, ...added.sources],
  };
  const sources = quoted(evidence.map((piece) => piece.source).join("; "), 500);
  const unasked = names.filter((name) => evidence.length && !questions.some(({ debater }) => debater === name));
  const all = [...questions, ...unasked.map((debater) => ({ debater, question: words.newEvidence(sources) }))];
  const answers = await context.run.parallel(all, ({ debater, question: asked }, index) =>
    askSide(context, extended, names.indexOf(debater) + 1, {
      asked_by: "human",
      asked,
      key: `human_${index + 1}`,
      inputs: [reviewed],
    }),
  );
  return { authorities: extended.authorities, sources: extended.sources, note, replies: answers, rejected: false };
}

/** Passages shown of each new piece of evidence. */
const PASSAGES_PER_PIECE = 3;
/** Passages searched for them: the query, a piece's beginning, also finds similar passages of other pieces. */
const SEARCH_LIMIT = 20;
/** Characters of that query. */
const QUERY_LENGTH = 1_000;

/** Indexes a person's evidence and returns its first passages, verbatim, for the authorities. */
async function indexEvidence(
  { run, question }: Context,
  { authorities, rounds }: DebateState,
  evidence: readonly z.infer<typeof evidenceSchema>[],
): Promise<Pick<DebateState, "sources"> & { found: FoundAuthority[] }> {
  // JSON Schema cannot refuse half of a surrogate pair, so it is replaced.
  const readable = evidence.map((piece) => ({ ...piece, text: piece.text.toWellFormed().replaceAll("\ufffd", "?") }));
  const index = await run.retrieval.indexEvidence(withLanguage(readable, question.language), {
    key: "review",
  });
  const found = await run.parallel(readable, ({ source: from, text }, place) =>
    run.retrieval.search(
      {
        query: `${from} ${text.slice(0, QUERY_LENGTH)}`,
        limit: SEARCH_LIMIT,
        corpus_ids: [],
        exclude: idsOf(authorities),
      },
      { key: `review_${place + 1}`, subject: "human", inputs: [index] },
    ),
  );
  const by = { round: rounds.length, requested_by: "human" };
  const mine = found.map((retrieved, place) => {
    const document = index.content.documents[place]?.document_id;
    const excerpts = retrieved.content.excerpts.filter(({ document_id }) => document_id === document);
    return { ...retrieved, content: { ...retrieved.content, excerpts: excerpts.slice(0, PASSAGES_PER_PIECE) } };
  });
  return { found: mine.flatMap((retrieved) => authoritiesOf(retrieved, by)), sources: found.map(withoutContent) };
}
