import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { judgePair, scoreRubric } from "../actions";
import { clip } from "#workflow-kit/text";
import {
  MAX_REASON_LENGTH,
  type IdeaSet,
  type Match,
  type Place,
  type Proposal,
  type Ranking,
  type Rubric,
} from "../artifacts";
import { VENUE } from "../contract";
import { CALL_CONCURRENCY, type Context } from "../context";
import { drawn } from "../rules/chance";
import { drawBracket } from "../reports/drawings/bracket";
import { Semaphore } from "#workflow-kit/semaphore";
import { judgedIdea, judgedProposal } from "../reports/markdown";
import { Tournament, type Pairing } from "../rules/tournament";
import type { ExpandedIdea } from "./proposals";

/** Most entrants of each compared configuration (spec, step 8). */
const MAX_PER_SIDE = 50;
/** Limit of names in the subjects of matches. Characters. */
const MAX_NAME_LENGTH = 60;

export interface RankingResult {
  /** The artifact `ranking`. */
  ranking: DocumentReference;
  bracket: DocumentReference;
  places: Place[];
}

interface RankingInput {
  set: DocumentReference;
  /** Ids of the ideas that are still in the run. */
  remaining: readonly string[];
  /** null: the ideas themselves are ranked. */
  proposals: readonly ExpandedIdea[] | null;
  /** 2 when ideas are ranked again after a person changed them. */
  attempt: number;
}

/** The tournament (spec, step 8): the judge compares ideas, or their proposals, in pairs. */
export async function rank(
  context: Context,
  { set, remaining, proposals, attempt }: RankingInput,
): Promise<RankingResult> {
  const source = await context.read<IdeaSet>(set);
  const { content } = source;
  const ideas = new Map(content.ideas.map((idea) => [idea.id, idea]));
  const texts = new Map<string, string>();
  const sources = new Map<string, Artifact>();
  if (proposals) {
    const read = await context.run.read<Proposal>(proposals.map(({ proposal }) => proposal));
    proposals.forEach(({ idea }, index) => {
      texts.set(idea, judgedProposal(read[index]!.content));
      sources.set(idea, read[index]!);
    });
  } else
    for (const id of remaining) {
      texts.set(id, judgedIdea(ideas.get(id)!));
      sources.set(id, source);
    }

  const entrants = entrantsOf(context, [...texts.keys()], (id) => ideas.get(id)!.configuration);
  const names = new Map(
    content.ideas.map(({ id, name, configuration }) => [
      id,
      `${id} ${name}${context.options.compare ? `, ${configuration}` : ""}`,
    ]),
  );
  const judging = new Judging(context, { texts, sources, names, of: proposals ? "proposals" : "ideas", attempt });
  const ranking = await judging.play(entrants);
  const kept = await context.compute(
    "ranking",
    { action: "play_tournament", role: "ranker", key: String(attempt), inputs: judging.verdicts },
    () => ranking,
  );
  const entry = { action: "draw_bracket", key: String(attempt), inputs: [kept], mediaType: "image/svg+xml" };
  const bracket = context.run.recordLater({ ...entry, kind: "bracket_svg", role: "workflow" }, () =>
    drawBracket(context.topic, kept.content, names),
  );
  return { ranking: reference(kept)!, bracket, places: ranking.places };
}

/** All ids; of two compared configurations, a random draw of equal size from each. */
function entrantsOf(
  { options, configurations, seed }: Context,
  ids: readonly string[],
  configurationOf: (id: string) => string,
): string[] {
  if (!options.compare) return [...ids];
  const sides = configurations.map(({ name }) => ids.filter((id) => configurationOf(id) === name));
  const count = Math.min(MAX_PER_SIDE, ...sides.map((side) => side.length));
  return sides.flatMap((side) => drawn(side, seed, "taking part", count));
}

class Judging {
  /** Verdicts and rubrics, in the order of their matches. */
  readonly verdicts: Artifact[] = [];
  private readonly semaphore = new Semaphore(CALL_CONCURRENCY);

  constructor(
    private readonly context: Context,
    private readonly ranked: {
      texts: ReadonlyMap<string, string>;
      /** The artifact that each text comes from. */
      sources: ReadonlyMap<string, Artifact>;
      names: ReadonlyMap<string, string>;
      of: Ranking["of"];
      attempt: number;
    },
  ) {}

  async play(entrants: readonly string[]): Promise<Ranking> {
    const { options, seed } = this.context;
    const tournament = new Tournament(entrants, seed, options.tournament_rounds);
    for (let round = 1; !tournament.finished; round++) {
      const { pairings, bye } = tournament.nextRound();
      tournament.recordRound(await this.matches(pairings, `round ${round}`, round), bye);
    }
    // Only `top_k` selects ideas by their places.
    if (options.expand === "top_k") {
      const pairings = tournament.playOffPairings(options.proposals);
      if (pairings.length)
        tournament.recordPlayOff(await this.matches(pairings, "play-off", tournament.rounds.length + 1));
    }
    const rubrics = options.rubric ? await this.scores(entrants) : null;
    const places = tournament.places().map((place): Place => ({ ...place, rubric: rubrics?.get(place.id) ?? null }));
    return { of: this.ranked.of, rounds: tournament.rounds, play_off: tournament.playOff, places };
  }

  private async matches(pairings: readonly Pairing[], title: string, round: number): Promise<Match[]> {
    const { run, options } = this.context;
    const played = await run.parallel(
      pairings,
      (pairing, index) => this.match(pairing, title, round, index + 1),
      options.parallelism,
    );
    this.verdicts.push(...played.flatMap(({ verdicts }) => verdicts));
    return played.map(({ match }) => match);
  }

  /** One match, in one order or in both; differing verdicts are a draw. */
  private async match(
    { a, b }: Pairing,
    title: string,
    round: number,
    number: number,
  ): Promise<{ match: Match; verdicts: Artifact[] }> {
    const ask = async (first: string, second: string, order: string) => {
      const verdict = await this.judge(first, second, { title, round, key: `${number}${order}` });
      const { reason, for_the_other, accepted } = verdict.content;
      const kept = (text: string | null) =>
        text && this.context.hasExtra("match_reasons") ? [clip(text, MAX_REASON_LENGTH)] : [];
      const winner = accepted === "A" ? first : second;
      return { verdict, winner, reasons: kept(reason), points: kept(for_the_other ?? null) };
    };
    if (!this.context.options.both_orders) {
      const { verdict, ...result } = await ask(a, b, "");
      return { match: { a, b, first: a, ...result }, verdicts: [verdict] };
    }
    const turns = [
      [a, b, "ab"],
      [b, a, "ba"],
    ] as const;
    const [one, other] = await this.context.run.parallel(turns, ([first, second, order]) => ask(first, second, order));
    const winner = one!.winner === other!.winner ? one!.winner : null;
    const match = {
      a,
      b,
      first: null,
      winner,
      reasons: [...one!.reasons, ...other!.reasons],
      points: [...one!.points, ...other!.points],
    };
    return { match, verdicts: [one!.verdict, other!.verdict] };
  }

  private judge(first: string, second: string, { title, round, key }: { title: string; round: number; key: string }) {
    const { run, topic, options } = this.context;
    const nameOf = (id: string) => clip(this.ranked.names.get(id)!, MAX_NAME_LENGTH);
    const actionInput = {
      topic,
      of: this.ranked.of,
      venue: options.venue ?? VENUE,
      first: this.ranked.texts.get(first)!,
      second: this.ranked.texts.get(second)!,
      reasons: this.context.hasExtra("match_reasons"),
    };
    return this.semaphore.run(() =>
      run.step(judgePair, actionInput, {
        key: `${this.ranked.attempt}.${round}.${key}`,
        subject: `${title}: ${nameOf(first)} against ${nameOf(second)}`,
        iteration: round,
        inputs: this.sourcesOf(first, second),
      }),
    );
  }

  /** The artifacts of the texts of some entrants, each once. */
  private sourcesOf(...ids: readonly string[]): Artifact[] {
    return [...new Set(ids.map((id) => this.ranked.sources.get(id)!))];
  }

  private async scores(entrants: readonly string[]): Promise<Map<string, Place["rubric"]>> {
    const { run, topic, options } = this.context;
    const scored: Artifact<Rubric>[] = await run.parallel(
      entrants,
      (id, index) =>
        this.semaphore.run(() =>
          run.step(
            scoreRubric,
            { topic, plan: this.ranked.texts.get(id)! },
            {
              key: `${this.ranked.attempt}.${id}`,
              subject: id,
              iteration: index + 1,
              inputs: this.sourcesOf(id),
            },
          ),
        ),
      options.parallelism,
    );
    this.verdicts.push(...scored);
    return new Map(
      entrants.map((id, index) => {
        const { reason: _, ...scores } = scored[index]!.content;
        return [id, scores];
      }),
    );
  }
}
