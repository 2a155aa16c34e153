/**
 * Drops the Worker's log lines, unless PARLEY_TEST_LOG is set. Vitest would intercept them, and the test plugin up to 1.4 hangs when a line of
 * another request arrives during the last call of a test file (cloudflare/workers-sdk#15719, fixed in 1.5).
 */
import { env } from "cloudflare:workers";

if (!(env as Cloudflare.Env).TEST_LOG)
  for (const level of ["debug", "info", "log", "warn", "error"] as const) console[level] = () => {};
