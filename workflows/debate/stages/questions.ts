import { z } from "zod";
import type { Artifact } from "#workflow-kit/artifact";
import { quoted } from "#workflow-kit/text";
import { answerQuestion, askCrossQuestion } from "../actions";
import type { HumanReview } from "../artifacts";
import { briefsOf, idsOf, lastOfOthers, readBriefs, statementsOf, type DebateContext } from "../context";
import { checkCitations, isInvented } from "../rules/citations";
import { evidenceSchema } from "../contract";
import type { ReadBrief } from "../inputs";
import { wordsFor } from "../reports/parts";
import { reviewFile } from "../reports/review";
import { debaterName } from "../rules/topology";
import { admitted, authoritiesOf, source, withLanguage, type FoundAuthority } from "./preparation";
import { heldBy, seatsOf, type DebateState, type SideReply } from "../rules/debate-state";

/** One targeted question to each side before judgment (Silva et al., 3.1), all sides at once. */
export async function crossExamine(theCase: DebateContext, floor: DebateState): Promise<SideReply[]> {
  const { run, question } = theCase;
  return run.parallel(seatsOf(floor), async (debater) => {
    const name = debaterName(debater);
    const about = { question, authorities: floor.pool, position: heldBy(debater, floor) };
    const asked = await theCase.run.act(
      askCrossQuestion,
      { ...about, own: examined(theCase, floor, debater), others: lastOfOthers(debater, floor) },
      { key: name, iteration: 1, subject: name, inputs: lastBriefs(floor) },
    );
    return reply(theCase, floor, debater, {
      asked_by: "cross_examiner",
      asked: asked.content.question,
      key: name,
      inputs: [asked],
    });
  });
}

/** A side's briefs with what code has found of their citations. The Cross-Examiner is told: it takes no side, and can ask about it. */
const examined = ({ question }: DebateContext, floor: DebateState, debater: number): ReadBrief[] =>
  statementsOf(debater, floor).map((statement) => {
    const { round, shown, brief } = statement;
    const cited = { debater: debaterName(debater), round, citations: brief.content.citations, shown };
    const found = checkCitations([cited], floor.pool, question.jurisdiction);
    return {
      ...readBriefs([statement], floor.positions)[0]!,
      found: found.map((citation) => ({ ...citation, authority_known: !isInvented(citation) })),
    };
  });

const lastBriefs = ({ rounds }: DebateState): Artifact[] => (rounds.at(-1) ?? []).map(({ brief }) => brief);

async function reply(
  theCase: DebateContext,
  floor: DebateState,
  debater: number,
  { asked_by, asked, key, inputs }: Pick<SideReply, "asked_by" | "asked"> & { key: string; inputs: Artifact[] },
): Promise<SideReply> {
  const answer = await theCase.run.act(
    answerQuestion,
    {
      question: theCase.question,
      authorities: floor.pool,
      position: heldBy(debater, floor),
      brief_tokens: theCase.options.brief_tokens,
      own: briefsOf(debater, floor),
      others: lastOfOthers(debater, floor),
      asked,
      asked_by,
    },
    { key, iteration: 1, member: debater, subject: debaterName(debater), inputs },
  );
  return { debater, asked_by, asked, answer, shown: idsOf(floor.pool) };
}

export interface Reviewed extends Pick<DebateState, "pool" | "sources"> {
  rejected: boolean;
  note: string | null;
  replies: SideReply[];
}

/** What a person may add before judgment: JSON Schema alone decides, so that an answer that was accepted can be used. */
const additionsSchema = (debaters: [string, ...string[]]) =>
  z.strictObject({
    questions: z
      .array(
        z.strictObject({
          debater: z.enum(debaters).describe("Who is to answer."),
          question: z.string().max(5_000).regex(/\S/),
        }),
      )
      .max(12)
      .optional(),
    evidence: z.array(evidenceSchema).max(20).optional(),
  });

/**
 * A person reads the case, and may add a note, questions to sides, and evidence. Every side is heard on new evidence: those that are asked
 * nothing else are asked what it changes.
 */
export async function review(
  theCase: DebateContext,
  floor: DebateState,
  replies: readonly SideReply[],
): Promise<Reviewed> {
  const names = seatsOf(floor).map(debaterName) as [string, ...string[]];
  const words = wordsFor(theCase.question);
  const file = await theCase.run.record({
    kind: "review_file",
    content: reviewFile(theCase, floor, replies),
    action: "write_review_file",
    role: "judge",
    inputs: [...lastBriefs(floor), ...replies.map(({ answer }) => answer)],
  });
  const artifacts = [file];
  const said = await theCase.run.ask({
    key: "review",
    kind: "feedback",
    prompt: words.reviewPrompt,
    artifacts,
    decisions: ["approve", "reject"],
    additions: additionsSchema(names),
  });
  const unchanged = { pool: floor.pool, sources: floor.sources, note: null, replies: [], rejected: false };
  if (said.status === "expired") return unchanged;
  const { questions = [], evidence = [] } = said.additions;
  const note = said.comment?.trim() || null;
  const record: HumanReview = {
    decision: said.decision,
    note,
    questions,
    evidence: evidence.length,
    answered_by: said.answered_by,
  };
  const by = { action: "human_interaction", role: "human", inputs: artifacts };
  const reviewed = await theCase.run.record({ ...by, kind: "human_review", content: record });
  if (said.decision === "reject") return { ...unchanged, rejected: true };
  const added = evidence.length ? await admit(theCase, floor, evidence) : { found: [], sources: [] };
  const table = { ...floor, pool: admitted(floor.pool, added.found), sources: [...floor.sources, ...added.sources] };
  const sources = quoted(evidence.map((piece) => piece.source).join("; "), 500);
  const unasked = names.filter((name) => evidence.length && !questions.some(({ debater }) => debater === name));
  const asked_all = [...questions, ...unasked.map((debater) => ({ debater, question: words.newEvidence(sources) }))];
  const answers = await theCase.run.parallel(asked_all, ({ debater, question: asked }, index) =>
    reply(theCase, table, names.indexOf(debater) + 1, {
      asked_by: "human",
      asked,
      key: `human_${index + 1}`,
      inputs: [reviewed],
    }),
  );
  return { pool: table.pool, sources: table.sources, note, replies: answers, rejected: false };
}

/** Passages of a new piece of evidence that are shown; the first words of a piece find its own passages, others like them too. */
const PASSAGES_A_PIECE = 3;
const LOOKED_AT = 20;
const FIRST_WORDS = 1_000;

/** Evidence of a person is indexed, and its passages join the pool as they stand. */
async function admit(
  { run, question }: DebateContext,
  { pool, rounds }: DebateState,
  evidence: readonly z.infer<typeof evidenceSchema>[],
): Promise<Pick<DebateState, "sources"> & { found: FoundAuthority[] }> {
  // No pattern of JSON Schema can refuse half of a character: it is replaced.
  const readable = evidence.map((piece) => ({ ...piece, text: piece.text.toWellFormed().replaceAll("\ufffd", "?") }));
  const index = await run.indexEvidence(withLanguage(readable, question.language), {
    key: "review",
  });
  const found = await run.parallel(readable, ({ source: from, text }, place) =>
    run.retrieve(
      {
        query: `${from} ${text.slice(0, FIRST_WORDS)}`,
        limit: LOOKED_AT,
        corpus_ids: [],
        exclude: idsOf(pool),
      },
      { key: `review_${place + 1}`, subject: "human", inputs: [index] },
    ),
  );
  const by = { round: rounds.length, requested_by: "human" };
  const mine = found.map((retrieved, place) => {
    const own = index.content.documents[place]?.document_id;
    const excerpts = retrieved.content.excerpts.filter(({ document_id }) => document_id === own);
    return { ...retrieved, content: { ...retrieved.content, excerpts: excerpts.slice(0, PASSAGES_A_PIECE) } };
  });
  return { found: mine.flatMap((retrieved) => authoritiesOf(retrieved, by)), sources: found.map(source) };
}
