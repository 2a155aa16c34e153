import { storedKey } from "./session.ts";

/** The mode and the end of a key, by which its owner recognises it. */
const hintOf = (key: string) => `${/^parley_(test|live)_/.exec(key)?.[0] ?? ""}…${key.slice(-4)}`;

/** Asks whether to sign in with the key of a link, which a stranger may have made, to see what is entered at the page. */
export function LinkedKey({ linked, onAnswer }: { linked: string; onAnswer: (accepted: boolean) => void }) {
  const present = storedKey();
  return (
    <main className="sign-in" id="main">
      <h1>
        <img src="/console/icon.svg" alt="" width="36" height="36" /> Parley
      </h1>
      <h2>Sign in with the key of this link?</h2>
      <p>
        The link that you followed has the key <code>{hintOf(linked)}</code>. Sign in if you trust its source: the owner
        of the key sees whatever you do with it here.
      </p>
      {present !== null && (
        <p>
          You are signed in with <code>{hintOf(present)}</code>, which this tab would forget.
        </p>
      )}
      <div className="actions">
        <button type="button" className="primary" onClick={() => onAnswer(true)}>
          Sign in
        </button>
        <button type="button" onClick={() => onAnswer(false)}>
          {present === null ? "Use another key" : "Stay signed in"}
        </button>
      </div>
    </main>
  );
}
