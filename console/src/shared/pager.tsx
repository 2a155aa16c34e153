import { useSearchParams } from "wouter";

/** Links to the first page and the next one; the page's cursor stands in the address. The browser's own way back leads to the page before. */
export function Pager({ next }: { next: string | null | undefined }) {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("cursor");
  if (!cursor && !next) return null;
  const go = (to: string | null) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (to) after.set("cursor", to);
      else after.delete("cursor");
      return after;
    });
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" disabled={!cursor} onClick={() => go(null)}>
        First page
      </button>
      <button type="button" disabled={!cursor} onClick={() => history.back()}>
        Previous
      </button>
      <button type="button" disabled={!next} onClick={() => go(next!)}>
        Next
      </button>
    </nav>
  );
}
