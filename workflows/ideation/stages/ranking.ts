import type { Artifact, DocumentReference } from "../../../src/engine/artifact";
import { reference } from "../../../src/engine/run";
import { judgePair, scoreRubric } from "../actions";
import { KINDS, type IdeaSet, type Match, type Place, type Proposal, type Ranking, type Rubric } from "../artifacts";
import { CALLS_AT_ONCE, type Assignment } from "../assignment";
import { drawn } from "../chance";
import { drawBracket } from "../drawings/bracket";
import { Gate } from "../gate";
import { judgedIdea, judgedProposal } from "../markdown";
import { Tournament, type Pairing } from "../tournament";
import type { Expanded } from "./proposals";

/** Of each configuration that is compared, so many at most take part (spec, step 8). */
const MOST_A_SIDE = 50;

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
  assignment: Assignment,
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
  const judging = new Judging(assignment, texts, proposals ? "proposals" : "ideas", attempt);
  const ranking = await judging.play(entrants);
  const kept = await assignment.keep(
    "ranking",
    { action: "play_tournament", role: "ranker", key: String(attempt) },
    () => ranking,
  );
  const names = new Map(content.ideas.map(({ id, name }) => [id, `${id} ${name}`]));
  const bracket = await assignment.keep(
    "bracket_svg",
    { action: "draw_bracket", key: String(attempt), inputs: [kept], mediaType: "image/svg+xml" },
    () => drawBracket(assignment.topic, kept.content, names),
  );
  return { ranking: reference(kept)!, bracket: reference(bracket)!, places: ranking.places };
}

/** All of them; of two configurations equally many, drawn. */
function takingPart(
  { options, seed }: Assignment,
  ids: readonly string[],
  configurationOf: (id: string) => string,
): string[] {
  if (!options.compare) return [...ids];
  const sides = options.compare.map((name) => ids.filter((id) => configurationOf(id) === name));
  const count = Math.min(MOST_A_SIDE, ...sides.map((side) => side.length));
  return sides.flatMap((side) => drawn(side, seed, "taking part", count));
}

class Judging {
  private readonly gate = new Gate(CALLS_AT_ONCE);

  constructor(
    private readonly assignment: Assignment,
    private readonly texts: ReadonlyMap<string, string>,
    private readonly of: Ranking["of"],
    private readonly attempt: number,
  ) {}

  async play(entrants: readonly string[]): Promise<Ranking> {
    const { run, options, seed } = this.assignment;
    const tournament = new Tournament(entrants, seed);
    for (let round = 1; round <= options.tournament_rounds && !tournament.exhausted; round++) {
      const { pairings, bye } = tournament.next();
      const matches = await run.parallel(
        pairings,
        (pairing, index) => this.match(pairing, round, index + 1),
        options.parallelism,
      );
      tournament.play(matches, bye);
    }
    const rubrics = options.rubric ? await this.scores(entrants) : null;
    const places = tournament.places().map((place): Place => ({ ...place, rubric: rubrics?.get(place.id) ?? null }));
    return { of: this.of, rounds: tournament.rounds, places };
  }

  /** One order, or both; who wins in one and loses in the other has won nothing. */
  private async match({ a, b }: Pairing, round: number, number: number): Promise<Match> {
    const ask = async (first: string, second: string, order: string) => {
      const verdict = await this.judge(first, second, round, `${number}${order}`);
      return verdict.content.accepted === "A" ? first : second;
    };
    if (!this.assignment.options.both_orders) return { a, b, first: a, winner: await ask(a, b, "") };
    const turns = [
      [a, b, "ab"],
      [b, a, "ba"],
    ] as const;
    const [one, other] = await this.assignment.run.parallel(turns, ([first, second, order]) =>
      ask(first, second, order),
    );
    return { a, b, first: null, winner: one === other ? one! : null };
  }

  private judge(first: string, second: string, round: number, key: string) {
    const { run, topic } = this.assignment;
    const about = { topic, of: this.of, first: this.texts.get(first)!, second: this.texts.get(second)! };
    return this.gate.pass(() =>
      run.act(judgePair, about, {
        key: `${this.attempt}.${round}.${key}`,
        subject: `round ${round}: ${first}, ${second}`,
        iteration: round,
        sendTo: KINDS.match_verdict.send_to,
      }),
    );
  }

  private async scores(entrants: readonly string[]): Promise<Map<string, Place["rubric"]>> {
    const { run, topic, options } = this.assignment;
    const scored: Artifact<Rubric>[] = await run.parallel(
      entrants,
      (id, index) =>
        this.gate.pass(() =>
          run.act(
            scoreRubric,
            { topic, plan: this.texts.get(id)! },
            {
              key: `${this.attempt}.${id}`,
              subject: id,
              iteration: index + 1,
              sendTo: KINDS.rubric.send_to,
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
