import { assetOf } from "../assets";
import { type AppContext, Router } from "../context";

/** The console: a page of static files, made of `console/`. Every path under it is the same page, which reads the path by itself. */
export const consolePages = new Router("Service");

/** Scripts and requests of our own origin only; pictures are blobs that the page makes of artifacts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Their names have a hash of their contents. */
const FOR_EVER = "public, max-age=31536000, immutable";

const page = (c: AppContext) =>
  assetOf(c, "/console/index.html", { "Content-Security-Policy": POLICY, "Cache-Control": "no-cache" });

/** A browser is led to the console; for others there is nothing here. */
consolePages.get("/", (c, next) =>
  /\btext\/html\b/.test(c.req.header("Accept") ?? "") ? Promise.resolve(c.redirect("/console", 302)) : next(),
);
consolePages.get("/console/assets/*", (c) => assetOf(c, c.req.path, { "Cache-Control": FOR_EVER }));
consolePages.get("/console/icon.svg", (c) => assetOf(c, c.req.path));
consolePages.get("/console", page);
consolePages.get("/console/*", page);
