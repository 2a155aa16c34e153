import { seededRandom } from "#workflow-kit/seeded-random";

export interface Resampling {
  resamples: number;
  seed: number;
}

/** Most means that are in memory at once, 8 bytes each. */
const MEAN_BATCH = 2_000_000;
/** Columns that one loop adds up: the counts are then read once for four columns. */
const TOGETHER = 4;

/**
 * Means of the columns of a table in samples of its rows, drawn with replacement: all columns see the same samples. `n` rows and `c` columns
 * take `resamples · n · c` additions.
 * @param columns values by row, all columns of one length
 * @param each called for every column with its mean in each sample, in the order of the samples
 */
export function resampleColumns(
  columns: readonly (readonly number[])[],
  { resamples, seed }: Resampling,
  each: (column: number, means: Float64Array) => void,
): void {
  const step = Math.max(TOGETHER, Math.floor(MEAN_BATCH / resamples / TOGETHER) * TOGETHER);
  for (let first = 0; first < columns.length; first += step) {
    const batch = columns.slice(first, first + step).map((column) => Float64Array.from(column));
    resampledMeans(batch, { resamples, seed }).forEach((means, place) => each(first + place, means));
  }
}

function resampledMeans(columns: readonly Float64Array[], { resamples, seed }: Resampling): Float64Array[] {
  const rows = columns[0]!.length;
  const means = columns.map(() => new Float64Array(resamples));
  const drawn = new Float64Array(rows);
  const random = seededRandom(seed);
  for (let sample = 0; sample < resamples; sample++) {
    drawn.fill(0);
    for (let draw = 0; draw < rows; draw++) drawn[Math.floor(random() * rows)]!++;
    for (let first = 0; first < columns.length; first += TOGETHER)
      addUp(columns, first, drawn, (place, sum) => (means[place]![sample] = sum / rows));
  }
  return means;
}

/** Weighted sums of four columns; the last column stands in for those that are missing. */
function addUp(
  columns: readonly Float64Array[],
  first: number,
  weights: Float64Array,
  each: (place: number, sum: number) => void,
): void {
  const last = columns.length - 1;
  const [a, b, c, d] = [first, first + 1, first + 2, first + 3].map((place) => columns[Math.min(place, last)]!);
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row]!;
    sumA += weight * a![row]!;
    sumB += weight * b![row]!;
    sumC += weight * c![row]!;
    sumD += weight * d![row]!;
  }
  [sumA, sumB, sumC, sumD].slice(0, columns.length - first).forEach((sum, place) => each(first + place, sum));
}
