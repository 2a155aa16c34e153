import { type FormEvent, useState } from "react";
import { clientOf } from "./parley.ts";
import { ProblemBox } from "./shared/problem.tsx";

/** Asks for a key, and tries it once before it is kept. @param wasRefused the server does not accept the key that was used until now */
export function SignIn({ onKey, wasRefused }: { onKey: (key: string) => void; wasRefused: boolean }) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key")).trim();
    setBusy(true);
    setError(null);
    try {
      await clientOf(key).runs.list({ limit: 1 }, { maxRetries: 0 }).page();
      onKey(key);
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  }
  return (
    <main className="sign-in" id="main">
      <h1>
        <img src="/console/icon.svg" alt="" width="36" height="36" /> Parley
      </h1>
      <p>See runs as they happen, answer what waits, and find why something failed.</p>
      <form onSubmit={submit}>
        <div className="field">
          <label htmlFor="key">API key</label>
          <p className="hint" id="key-hint">
            Kept in this tab only, until it is closed. A test key shows test runs, a live key live ones.
          </p>
          <input
            id="key"
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            pattern="\s*parley_(test|live)_\S+\s*"
            title="A key begins with parley_test_ or parley_live_."
            aria-describedby="key-hint"
          />
        </div>
        {wasRefused && error === null && (
          <div className="box waits" role="alert">
            <p className="box-title">The key is not accepted</p>
            <p>
              It was revoked, has expired, or is not a key of this server. Sign in with another one to continue here.
            </p>
          </div>
        )}
        {error !== null && <ProblemBox error={error} />}
        <button className="primary" disabled={busy}>
          {busy ? "Signing in …" : "Sign in"}
        </button>
      </form>
      <p className="quiet">
        On your own machine, <code>npm run dev</code> prints a link that signs you in. <a href="/docs/guide">Guide</a>,{" "}
        <a href="/docs">API reference</a>
      </p>
    </main>
  );
}
