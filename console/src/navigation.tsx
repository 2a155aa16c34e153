import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useParley, useSession } from "./parley.ts";

const PAGES = [
  ["/runs", "Runs"],
  ["/inbox", "Inbox"],
  ["/templates", "Templates"],
  ["/corpora", "Corpora"],
  ["/datasets", "Data sets"],
  ["/agents", "Agents"],
  ["/webhooks", "Webhooks"],
  ["/keys", "Keys"],
  ["/usage", "Usage"],
] as const;

/** The pages of the console, the mode of the key, and the way out. */
export function Navigation() {
  const [path] = useLocation();
  const { mode, signOut } = useSession();
  const open = useOpenQuestions();
  return (
    <nav aria-label="Console" className="navigation">
      <Link href="/runs" className="brand">
        <img src="/console/icon.svg" alt="" width="24" height="24" /> Parley
      </Link>
      <ul>
        {PAGES.map(([to, title]) => (
          <li key={to}>
            <Link href={to} aria-current={path.startsWith(to) ? "page" : undefined}>
              {title}
              {to === "/inbox" && open > 0 && (
                <span className="count" aria-label={`${open} open`}>
                  {open >= 100 ? "99+" : open}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <div className="navigation-end">
        <span className={`mode mode-${mode}`}>{mode === "test" ? "Test data" : "Live data"}</span>
        <a href="/docs/guide" target="_blank" rel="noreferrer">
          Guide
        </a>
        <a href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        <button type="button" className="plain" onClick={signOut}>
          Sign out
        </button>
      </div>
    </nav>
  );
}

/** How many questions wait, at most a hundred are counted. */
function useOpenQuestions(): number {
  const parley = useParley();
  const { data } = useQuery({
    queryKey: ["open-questions"],
    queryFn: async ({ signal }) =>
      (await parley.interactions.list({ status: "open", limit: 100 }, { signal }).page()).data.length,
    refetchInterval: 10_000,
  });
  return data ?? 0;
}
