import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { clientOf, type Session, SessionContext } from "./parley.ts";
import { LinkedKey } from "./linked-key.tsx";
import { forgetKey, storedKey, storeKey, takeKeyFromFragment } from "./session.ts";
import { Navigation } from "./navigation.tsx";
import { SignIn } from "./sign-in.tsx";
import { BrokenConnection } from "./shared/connection.tsx";
import { ErrorBoundary } from "./shared/error-boundary.tsx";
import { useFocusOnNewPage } from "./shared/use-focus-on-new-page.ts";
import { RunsPage } from "./runs/runs-page.tsx";

const RunPage = lazy(() => import("./run/run-page.tsx"));
const NewRunPage = lazy(() => import("./runs/new-run-page.tsx"));
const InboxPage = lazy(() => import("./inbox/inbox-page.tsx"));
const CorporaPage = lazy(() => import("./corpora/corpora-page.tsx"));
const CorpusPage = lazy(() => import("./corpora/corpus-page.tsx"));
const DatasetsPage = lazy(() => import("./datasets/datasets-page.tsx"));
const DatasetPage = lazy(() => import("./datasets/dataset-page.tsx"));
const WebhooksPage = lazy(() => import("./webhooks/webhooks-page.tsx"));
const EndpointPage = lazy(() => import("./webhooks/endpoint-page.tsx"));
const TemplatesPage = lazy(() => import("./templates/templates-page.tsx"));
const UsagePage = lazy(() => import("./usage/usage-page.tsx"));
const AgentsPage = lazy(() => import("./agents/agents-page.tsx"));
const KeysPage = lazy(() => import("./keys/keys-page.tsx"));

/**
 * Everything under /console: the form for the key, or the page that the path names.
 * @param linked key of the link by which the page was opened; null: none
 */
export function Console({ linked: first }: { linked: string | null }) {
  const [key, setKey] = useState(storedKey);
  const [linked, setLinked] = useState(first);
  const [wasRefused, setWasRefused] = useState(false);
  const queries = useQueryClient();
  const session = useMemo<Session | null>(() => {
    if (key === null) return null;
    const signOut = () => {
      forgetKey();
      queries.clear();
      setKey(null);
    };
    const parley = clientOf(key, () => {
      setWasRefused(true);
      signOut();
    });
    return { parley, mode: key.startsWith("parley_live_") ? "live" : "test", signOut };
  }, [key, queries]);
  useEffect(() => {
    const follow = () => {
      const given = takeKeyFromFragment();
      if (given !== null) setLinked(given);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const signIn = (given: string) => {
    storeKey(given);
    setWasRefused(false);
    setKey(given);
  };
  if (linked !== null) {
    const answer = (accepted: boolean) => {
      if (accepted) {
        queries.clear(); // nothing that was read with the key before may stay
        signIn(linked);
      }
      setLinked(null);
    };
    return <LinkedKey linked={linked} onAnswer={answer} />;
  }
  if (!session) return <SignIn onKey={signIn} wasRefused={wasRefused} />;
  return (
    <SessionContext value={session}>
      <Router base="/console">
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <div className="shell">
          <Navigation />
          <main id="main" tabIndex={-1}>
            <BrokenConnection />
            <Content />
          </main>
        </div>
      </Router>
    </SessionContext>
  );
}

function Content() {
  const [path] = useLocation();
  useFocusOnNewPage();
  return (
    <ErrorBoundary at={path}>
      <Suspense fallback={<p className="quiet">Loading …</p>}>
        <Pages />
      </Suspense>
    </ErrorBoundary>
  );
}

const Pages = () => (
  <Switch>
    <Route path="/">
      <Redirect to="/runs" replace />
    </Route>
    <Route path="/runs" component={RunsPage} />
    <Route path="/runs/new/:workflow?" component={NewRunPage} />
    <Route path="/runs/:id/:view?" component={RunPage} />
    <Route path="/inbox" component={InboxPage} />
    <Route path="/corpora" component={CorporaPage} />
    <Route path="/corpora/:id" component={CorpusPage} />
    <Route path="/datasets" component={DatasetsPage} />
    <Route path="/datasets/:id" component={DatasetPage} />
    <Route path="/webhooks" component={WebhooksPage} />
    <Route path="/webhooks/:id" component={EndpointPage} />
    <Route path="/templates" component={TemplatesPage} />
    <Route path="/usage" component={UsagePage} />
    <Route path="/agents" component={AgentsPage} />
    <Route path="/keys" component={KeysPage} />
    <Route>
      <h1>Nothing is here</h1>
      <p>The console has no page at this address.</p>
    </Route>
  </Switch>
);
