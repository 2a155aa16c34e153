import { useEffect, useState } from "react";

/** Rows that are added at a time: fewer than make a task of 50 ms. */
const STEP = 50;

/** The first of many entries, more with each frame until all are there: a long table never holds up the page. */
export function useSlices<T>(entries: readonly T[]): readonly T[] {
  const [shown, setShown] = useState(STEP);
  const isWhole = shown >= entries.length;
  useEffect(() => {
    if (isWhole) return;
    const frame = requestAnimationFrame(() => setShown(shown + STEP));
    return () => cancelAnimationFrame(frame);
  }, [shown, isWhole]);
  return isWhole ? entries : entries.slice(0, shown);
}
