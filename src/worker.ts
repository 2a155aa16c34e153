import { createApp } from "#api/http/app"; // first: it extends zod before the schemas of services are made
import { composeServices } from "#cloudflare/compose";

export { Committer } from "#cloudflare/committer";
export { CorpusIndexer } from "#cloudflare/corpus-indexer";
export { EventFeed } from "#cloudflare/event-feed";
export { MaintenanceWorker } from "#cloudflare/maintenance-worker";
export { ProviderGate } from "#cloudflare/provider-gate";
export { RateLimiter } from "#cloudflare/rate-limiter";
export { RunWorkflow } from "#cloudflare/run-workflow";
export { WebhookSender } from "#cloudflare/webhook-sender";

const app = createApp((env: Env) => composeServices(env));

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
