import { composeServices } from "./compose";
import type { Env } from "#services/settings";
import { createApp } from "./http/app";

export { CorpusIndexer } from "./indexer/indexer";
export { Keeper } from "./keeper/keeper";
export { ProviderGate } from "./provider-gates/gate";
export { RateLimiter } from "./rate-limits/limiter";
export { RunWorkflow } from "./run-workflow";
export { WebhookSender } from "./webhooks/sender";

const app = createApp((env: Env) => composeServices(env));

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
