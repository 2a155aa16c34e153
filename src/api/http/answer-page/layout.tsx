import type { Child } from "hono/jsx";
import { raw } from "hono/html";
import { STYLE } from "./style";

interface About {
  workflow: string;
  stage: string;
  run: string;
}

interface Framed {
  title: string;
  about?: About;
  /** Leaves room for texts beside each other. */
  wide?: boolean;
  children?: Child;
}

/** The frame of all pages. */
export const Layout = ({ title, about, wide = false, children }: Framed) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="referrer" content="no-referrer" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Parley`}</title>
      <style>{raw(STYLE)}</style>
    </head>
    <body class={wide ? "wide" : undefined}>
      <header>
        <span class="brand">Parley</span>
        {about && (
          <span class="quiet">
            {about.workflow} <span aria-hidden="true">›</span> {about.stage}
          </span>
        )}
      </header>
      <main>{children}</main>
      {about && (
        <footer class="quiet">
          <p>
            Anyone who has this link can read this page and answer. It belongs to the run <code>{about.run}</code>.
          </p>
        </footer>
      )}
    </body>
  </html>
);
