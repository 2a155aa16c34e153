/** Bindings that a deployment may add to wrangler.toml, and its variables and secrets (see `src/services/settings.ts`). */
interface __BaseEnv_Env {
  /** Receives one data point for each run that ends. */
  ANALYTICS?: AnalyticsEngineDataset;
  /** Holds the vectors of live corpora; when it is absent, D1 holds them. */
  VECTORS?: Vectorize;
  /** Sends mail to endpoints of kind `email`, unless `EMAIL_API_TOKEN` names another provider. */
  EMAIL?: SendEmail;
  [variable: string]: unknown;
}
