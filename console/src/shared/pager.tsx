import { useSearchParams } from "wouter";

/** What the history keeps of a page that "Next" has led to. */
const HAS_PREVIOUS = "next";

/**
 * Buttons to the first page, the one before and the next; the page's cursor is in the address. The browser's own way back leads to the page before,
 * when this one was reached by "Next": an address that somebody was sent has none before it.
 */
export function Pager({ next }: { next: string | null | undefined }) {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("cursor");
  if (!cursor && !next) return null;
  const go = (to: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (to) after.set("cursor", to);
        else after.delete("cursor");
        return after;
      },
      { state: to && HAS_PREVIOUS },
    );
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" disabled={!cursor} onClick={() => go(null)}>
        First page
      </button>
      <button type="button" disabled={history.state !== HAS_PREVIOUS} onClick={() => history.back()}>
        Previous
      </button>
      <button type="button" disabled={!next} onClick={() => go(next!)}>
        Next
      </button>
    </nav>
  );
}
