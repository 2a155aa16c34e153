import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { judgePair, scoreRubric } from "../actions";
import { clip } from "#workflow-kit/text";
import {
  LONGEST_REASON,
  type IdeaSet,
  type Match,
  type Place,
  type Proposal,
  type Ranking,
  type Rubric,
} from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { drawn } from "../rules/chance";
import { drawBracket } from "../reports/drawings/bracket";
import { judgedIdea, judgedProposal } from "../reports/markdown";
import { Tournament, type Pairing } from "../rules/tournament";
import { Semaphore } from "#workflow-kit/semaphore";
import type { Expanded } from "./proposals";

/** Of each configuration that is compared, so many at most take part (spec, step 8). */
const MOST_A_SIDE = 50;
/** Of names in headings of matches. Characters. */
const LONGEST_NAME = 60;

export interface Ranked {
  /** The artifact `ranking`. */
  ranking: DocumentReference;
  bracket: DocumentReference;
  places: Place[];
}

/**
 * The tournament (spec, step 8): ideas, or the proposals that were made of them, judged two by two.
 * @param going ids of the ideas that are still in the run
 * @param proposals null: the ideas themselves are ranked
 * @param attempt 2 when a person has changed the ideas, and they are ranked anew
 */
export async function rank(
  assignment: IdeationContext,
  set: DocumentReference,
  going: readonly string[],
  proposals: readonly Expanded[] | null,
  attempt = 1,
): Promise<Ranked> {
  const { content } = await assignment.read<IdeaSet>(set);
  const ideas = new Map(content.ideas.map((idea) => [idea.id, idea]));
  const texts = new Map<string, string>();
  if (proposals) {
    const read = await assignment.run.read<Proposal>(proposals.map(({ proposal }) => proposal));
    proposals.forEach(({ idea }, index) => texts.set(idea, judgedProposal(read[index]!.content)));
  } else for (const id of going) texts.set(id, judgedIdea(ideas.get(id)!));

  const entrants = takingPart(assignment, [...texts.keys()], (id) => ideas.get(id)!.configuration);
  const names = new Map(
    content.ideas.map(({ id, name, configuration }) => [
      id,
      `${id} ${name}${assignment.options.compare ? `, ${configuration}` : ""}`,
    ]),
  );
  const judging = new Judging(assignment, texts, names, proposals ? "proposals" : "ideas", attempt);
  const ranking = await judging.play(entrants);
  const kept = await assignment.keep(
    "ranking",
    { action: "play_tournament", role: "ranker", key: String(attempt) },
    () => ranking,
  );
  const bracket = await assignment.keep(
    "bracket_svg",
    { action: "draw_bracket", key: String(attempt), inputs: [kept], mediaType: "image/svg+xml" },
    () => drawBracket(assignment.topic, kept.content, names),
  );
  return { ranking: reference(kept)!, bracket: reference(bracket)!, places: ranking.places };
}

/** All of them; of two configurations equally many, drawn. */
function takingPart(
  { options, seed }: IdeationContext,
  ids: readonly string[],
  configurationOf: (id: string) => string,
): string[] {
  if (!options.compare) return [...ids];
  const sides = options.compare.map((name) => ids.filter((id) => configurationOf(id) === name));
  const count = Math.min(MOST_A_SIDE, ...sides.map((side) => side.length));
  return sides.flatMap((side) => drawn(side, seed, "taking part", count));
}

class Judging {
  private readonly semaphore = new Semaphore(CALLS_AT_ONCE);

  constructor(
    private readonly assignment: IdeationContext,
    private readonly texts: ReadonlyMap<string, string>,
    private readonly names: ReadonlyMap<string, string>,
    private readonly of: Ranking["of"],
    private readonly attempt: number,
  ) {}

  async play(entrants: readonly string[]): Promise<Ranking> {
    const { options, seed } = this.assignment;
    const tournament = new Tournament(entrants, seed);
    for (let round = 1; round <= options.tournament_rounds && !tournament.exhausted; round++) {
      const { pairings, bye } = tournament.next();
      tournament.play(await this.matches(pairings, `round ${round}`, round), bye);
    }
    // Under the other values of `expand` no place decides about anything.
    if (options.expand === "top_k") {
      const missing = tournament.undecided(options.proposals);
      if (missing.length) tournament.settle(await this.matches(missing, "play-off", tournament.rounds.length + 1));
    }
    const rubrics = options.rubric ? await this.scores(entrants) : null;
    const places = tournament.places().map((place): Place => ({ ...place, rubric: rubrics?.get(place.id) ?? null }));
    return { of: this.of, rounds: tournament.rounds, play_off: tournament.playOff, places };
  }

  private matches(pairings: readonly Pairing[], title: string, round: number): Promise<Match[]> {
    const { run, options } = this.assignment;
    return run.parallel(
      pairings,
      (pairing, index) => this.match(pairing, title, round, index + 1),
      options.parallelism,
    );
  }

  /** One order, or both; who wins in one and loses in the other has won nothing. */
  private async match({ a, b }: Pairing, title: string, round: number, number: number): Promise<Match> {
    const ask = async (first: string, second: string, order: string) => {
      const { content } = await this.judge(first, second, { title, round, key: `${number}${order}` });
      const reasons =
        content.reason && this.assignment.does("match_reasons") ? [clip(content.reason, LONGEST_REASON)] : [];
      return { winner: content.accepted === "A" ? first : second, reasons };
    };
    if (!this.assignment.options.both_orders) return { a, b, first: a, ...(await ask(a, b, "")) };
    const turns = [
      [a, b, "ab"],
      [b, a, "ba"],
    ] as const;
    const [one, other] = await this.assignment.run.parallel(turns, ([first, second, order]) =>
      ask(first, second, order),
    );
    const winner = one!.winner === other!.winner ? one!.winner : null;
    return { a, b, first: null, winner, reasons: [...one!.reasons, ...other!.reasons] };
  }

  private judge(first: string, second: string, { title, round, key }: { title: string; round: number; key: string }) {
    const { run, topic } = this.assignment;
    const named = (id: string) => clip(this.names.get(id)!, LONGEST_NAME);
    const about = {
      topic,
      of: this.of,
      first: this.texts.get(first)!,
      second: this.texts.get(second)!,
      reasons: this.assignment.does("match_reasons"),
    };
    return this.semaphore.use(() =>
      run.act(judgePair, about, {
        key: `${this.attempt}.${round}.${key}`,
        subject: `${title}: ${named(first)} against ${named(second)}`,
        iteration: round,
      }),
    );
  }

  private async scores(entrants: readonly string[]): Promise<Map<string, Place["rubric"]>> {
    const { run, topic, options } = this.assignment;
    const scored: Artifact<Rubric>[] = await run.parallel(
      entrants,
      (id, index) =>
        this.semaphore.use(() =>
          run.act(
            scoreRubric,
            { topic, plan: this.texts.get(id)! },
            {
              key: `${this.attempt}.${id}`,
              subject: id,
              iteration: index + 1,
            },
          ),
        ),
      options.parallelism,
    );
    return new Map(
      entrants.map((id, index) => {
        const { reason: _, ...scores } = scored[index]!.content;
        return [id, scores];
      }),
    );
  }
}
