import { cosine } from "#workflow-kit/vectors";
import { Rounding, type Rounded } from "./rounded-vectors";
import type { Search, Similarities, SimilarText } from "./similarity";

/** Cosine of vectors of unit length. */
export const byVectors = (vectors: readonly Float32Array[]): Similarities => ({
  count: vectors.length,
  before: (place) => Float64Array.from({ length: place }, (_, other) => cosine(vectors[place]!, vectors[other]!)),
  search: () => new VectorSearch(vectors),
});

/** Texts that are compared together with those kept before them, so that each kept vector is read from memory once per batch. */
const BATCH = 8;

/** Compares a text with the kept texts only, first by rounded vectors. */
class VectorSearch implements Search {
  private readonly vectors: readonly Float32Array[];
  private readonly rounding: Rounding;
  private readonly kept: number[] = [];
  /** Rounded vectors of the kept texts, packed in pairs. */
  private readonly pairs: Rounded[] = [];
  private begin = 0;
  private batch: Rounded[] = [];
  /** For each text of the batch, the similar ones among the first `known` kept texts, which were kept before the batch. */
  private found: SimilarText[][] = [];
  private known = 0;

  constructor(vectors: readonly Float32Array[]) {
    this.vectors = vectors;
    this.rounding = new Rounding(vectors[0]?.length ?? 0);
  }

  near(place: number, floor: number): SimilarText[] {
    if (place >= this.begin + this.batch.length) this.beginBatch(place, floor);
    return [...this.found[place - this.begin]!, ...this.nearOf(place, this.kept.slice(this.known), floor)];
  }

  keep(place: number): void {
    const vector = this.batch[place - this.begin]!;
    if (this.kept.length % 2 === 0) this.pairs.push(vector);
    else this.pairs.push(this.rounding.packed(this.pairs.pop()!, vector));
    this.kept.push(place);
  }

  private beginBatch(place: number, floor: number): void {
    const { pairs, rounding } = this;
    this.begin = place;
    this.known = this.kept.length;
    this.batch = this.vectors.slice(place, place + BATCH).map((vector) => rounding.rounded(vector));
    this.found = this.batch.map(() => []);
    const limit = rounding.limitFor(floor);
    for (let pair = 0; pair < pairs.length; pair += 2)
      for (let row = 0; row < this.batch.length; row += 2) {
        const [one, other = rounding.zero] = this.batch.slice(row, row + 2);
        const [two, others = rounding.zero] = pairs.slice(pair, pair + 2);
        if (!rounding.mayBeAbove(limit, one!, other, two!, others)) continue;
        const kept = this.kept.slice(2 * pair, 2 * pair + 4);
        for (const text of [row, row + 1]) this.found[text]?.push(...this.nearOf(place + text, kept, floor));
      }
  }

  /** The similar texts among some others, by the exact vectors. */
  private nearOf(place: number, others: readonly number[], floor: number): SimilarText[] {
    const vector = this.vectors[place]!;
    return others
      .map((other) => ({ place: other, similarity: cosine(vector, this.vectors[other]!) }))
      .filter(({ similarity }) => similarity > floor);
  }
}
