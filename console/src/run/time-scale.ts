/** A stretch of time in which something happens. Milliseconds. */
export interface Stretch {
  from: number;
  to: number;
}

export interface TimeScale {
  /** Where a moment stands, from 0 to 1. */
  at: (moment: number) => number;
  /** Long stretches in which nothing happened, drawn shorter than they were. */
  gaps: Stretch[];
}

/** A gap is drawn shorter when it is longer than this share of the time in which something happens. */
const LONG = 0.25;
/** A shorter gap keeps its length. Milliseconds. */
const SHORT = 3000;
/** Share of that time that a long gap is drawn with. */
const DRAWN = 0.08;

/**
 * A time axis on which work keeps its proportions, and long waits take little room: a question that waits for a week would otherwise leave
 * a step of a second no pixel.
 */
export function timeScale(work: readonly Stretch[], whole: Stretch): TimeScale {
  const busy = united(work, whole);
  const busyTime = Math.max(
    1,
    busy.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const gaps = between(busy, whole).filter(({ from, to }) => to - from > Math.max(SHORT, busyTime * LONG));
  const pieces = [...gaps.map((gap) => ({ ...gap, length: busyTime * DRAWN })), ...between(gaps, whole).map(ownLength)]
    .filter(({ from, to }) => to > from)
    .sort((one, other) => one.from - other.from);
  const total = Math.max(
    1,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  const at = (moment: number) => {
    let drawn = 0;
    for (const { from, to, length } of pieces) {
      if (moment <= from) break;
      drawn += moment >= to ? length : (length * (moment - from)) / (to - from);
    }
    return drawn / total;
  };
  return { at, gaps };
}

const ownLength = ({ from, to }: Stretch) => ({ from, to, length: to - from });

/** Overlapping stretches joined, in order, within the whole. */
function united(stretches: readonly Stretch[], whole: Stretch): Stretch[] {
  const joined: Stretch[] = [];
  for (const { from, to } of [...stretches].sort((one, other) => one.from - other.from)) {
    const next = { from: Math.max(from, whole.from), to: Math.min(to, whole.to) };
    const last = joined.at(-1);
    if (last && next.from <= last.to) last.to = Math.max(last.to, next.to);
    else joined.push(next);
  }
  return joined;
}

/** What lies between stretches that are in order. */
function between(stretches: readonly Stretch[], whole: Stretch): Stretch[] {
  const ends = [whole.from, ...stretches.map(({ to }) => to)];
  const starts = [...stretches.map(({ from }) => from), whole.to];
  return ends.map((from, index) => ({ from, to: starts[index]! })).filter(({ from, to }) => to > from);
}
