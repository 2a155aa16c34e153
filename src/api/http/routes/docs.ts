import { html } from "hono/html";
import { ERRORS } from "#core/errors";
import { assetOf } from "../assets";
import { type AppContext, Router } from "../context";

/** Pages for people. They load nothing from another host: script and style are our own static files. */
export const docs = new Router("Service");

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the reference inserts style elements
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Settings of the API reference: no fonts, telemetry, proxy or assistant of its vendor. */
const CONFIGURATION = {
  url: "/openapi.json",
  authentication: { preferredSecurityScheme: "ApiKey" },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "json",
};

docs.get("/docs", (c) => {
  c.header("Content-Security-Policy", POLICY);
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Parley: API reference</title>
          <link rel="icon" href="data:," />
        </head>
        <body>
          <noscript>
            The reference needs JavaScript; the same is in <a href="/openapi.json">openapi.json</a>. The
            <a href="/docs/guide">guide</a> needs none.
          </noscript>
          <script id="api-reference" data-configuration="${JSON.stringify(CONFIGURATION)}"></script>
          <script src="/docs/reference.js"></script>
        </body>
      </html>`,
  );
});

docs.get("/docs/errors", (c) => {
  c.header("Content-Security-Policy", POLICY);
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, help }]) =>
      html`<tr id="${code}">
        <td>
          <a href="#${code}"><code>${code}</code></a>
        </td>
        <td>${status}</td>
        <td>${title}. ${help}</td>
      </tr>`,
  );
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Parley: errors</title>
          <link rel="icon" href="data:," />
          <style>
            body {
              font:
                1rem/1.5 system-ui,
                sans-serif;
              max-width: 60rem;
              margin: 2rem auto;
              padding: 0 1rem;
            }
            table {
              border-collapse: collapse;
            }
            th,
            td {
              text-align: left;
              vertical-align: top;
              padding: 0.4rem 0.8rem;
              border-bottom: 1px solid #ccc;
            }
            tr:target {
              background: #fff3c4;
            }
            @media (prefers-color-scheme: dark) {
              body {
                background: #111;
                color: #eee;
              }
              a {
                color: #9cf;
              }
              tr:target {
                background: #443b00;
              }
            }
          </style>
        </head>
        <body>
          <h1>Errors</h1>
          <p>
            An error is a problem object (RFC 9457); a failed run carries one as its <code>error</code>.
            <a href="/docs">API reference</a> · <a href="/docs/guide">Guide</a>
          </p>
          <table>
            <thead>
              <tr>
                <th>code</th>
                <th>status</th>
                <th>meaning, and what to do</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>
        </body>
      </html>`,
  );
});

/** Pages made of docs/ by scripts/assets/guide.ts. They need no script. */
const GUIDE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const guide = (c: AppContext, file: string) =>
  assetOf(c, `/docs/guide/${file}`, {
    "Content-Security-Policy": GUIDE_POLICY,
    "Cache-Control": "public, max-age=300",
  });

docs.get("/docs/guide", (c) => guide(c, "index.html"));
docs.get("/docs/guide/guide.css", (c) => guide(c, "guide.css"));
docs.get("/docs/guide/:page{[a-z0-9-]+}", (c) => guide(c, `${c.req.param("page")}.html`));

docs.get("/docs/reference.js", (c: AppContext) => c.env.ASSETS.fetch(c.req.raw));

docs.get("/openapi.json", (c) => assetOf(c, "/openapi.json", { "Cache-Control": "public, max-age=300" }));
