/** Failures of a provider that may pass by themselves, in the words that users read. */
export const PROVIDER_TROUBLES = {
  provider_unreachable: "It cannot be reached.",
  provider_timeout: "It does not answer in time.",
  provider_rate_limited: "It is overloaded, or limits the requests.",
  provider_unavailable: "It answers with errors of its own.",
} as const;
export type ProviderTrouble = keyof typeof PROVIDER_TROUBLES;

/** A model whose provider fails, as a run has found. Times in RFC 3339, since runs and events show it as it is. */
export interface ProviderOutage {
  provider: string;
  /** `<provider>/<model>` */
  model: string;
  /** Of the latest failure. */
  code: ProviderTrouble;
  /** The code in words. */
  reason: string;
  since: string;
  next_attempt_at: string;
}

/** Reads the outages of a run's row, by model. */
export const parseOutages = (stored: string): Record<string, ProviderOutage> => JSON.parse(stored);
