import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** The parts of a run are one page: a change of them keeps the focus on its tab. */
const pageOf = (path: string): string => path.replace(/^(\/runs\/(?!new\/)[^/]+)\/.*$/, "$1");

/**
 * Moves the focus to the content when a link leads to another page, as a browser does when it loads one: the link that was pressed may be gone, and a
 * screen reader says nothing otherwise. The page is shown from its top, except on the way back, where the browser remembers the place.
 */
export function useFocusOnNewPage(): void {
  const [path] = useLocation();
  const page = pageOf(path);
  const last = useRef(page);
  const goesBack = useRef(false);
  useEffect(() => {
    const note = ({ type }: globalThis.Event) => {
      goesBack.current = type === "popstate";
    };
    // wouter sends an event of this name for each link that is followed.
    const types = ["popstate", "pushState"];
    for (const type of types) addEventListener(type, note, { capture: true });
    return () => types.forEach((type) => removeEventListener(type, note, { capture: true }));
  }, []);
  useEffect(() => {
    if (last.current !== page) {
      document.getElementById("main")!.focus({ preventScroll: true });
      if (!goesBack.current) scrollTo(0, 0);
    }
    last.current = page;
  }, [page]);
}
