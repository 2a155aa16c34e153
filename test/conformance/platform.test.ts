import { env } from "cloudflare:workers";
import { conformance } from "./suite";
import type { ProbeEnv } from "./probe";

conformance(env as unknown as ProbeEnv);
