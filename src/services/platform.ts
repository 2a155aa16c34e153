import type { LiveCall } from "#core/live-call";
import type { FeedUpdate, FeedPosition } from "./run-feed";

/** Requests are counted by the minute. Milliseconds. */
export const WINDOW = 60_000;

/** Whether a request is admitted, how many more this window admits, and when the next window begins. */
export interface Admission {
  admitted: boolean;
  remaining: number;
  resets_in_ms: number;
}

export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The port to the platform. A crash may lose any call; the maintenance worker repairs that. */
export interface Platform {
  /** Creates the Workflow instance of a run's epoch; does nothing when it exists. */
  createInstance(run: { id: string; epoch: number }): Promise<void>;
  /** Wakes an instance that waits for an event of this type; false when there is no such instance. */
  sendEvent(run: { id: string; epoch: number }, type: string): Promise<boolean>;
  /** The platform's status of a run's instance, or `missing`. */
  instanceStatus(run: { id: string; epoch: number }): Promise<InstanceStatus["status"] | "missing">;
  /** Removes the Workflow instances of all epochs of a finished run, with their state on the platform. Idempotent. */
  deleteInstances(run: { id: string; epoch: number }): Promise<void>;
  /**
   * Returns the permits of a run's calls to providers whose instances were deleted meanwhile: other runs would wait until the leases end. Never
   * throws: they end all the same.
   */
  returnPermits(run: { id: string; tenant_id: string }): Promise<void>;
  /**
   * Makes sure that the maintenance worker's alarm is set, and stays set for a while. Call it before writing a row that must be acted on: from then on
   * the maintenance worker acts on it, even if this request dies.
   */
  armMaintenance(): Promise<void>;
  /** Wakes the indexers of these corpora. */
  wakeIndexers(corpora: readonly string[]): Promise<void>;
  /**
   * Counts a request under a name, such as an API key's id; null when counting fails or is too slow, which is logged and refuses no request.
   * @param count 0: only asks whether a request would be admitted
   */
  admit(name: string, limit: number, count?: 0 | 1): Promise<Admission | null>;
  /** Wakes the senders of these webhook endpoints. */
  wakeWebhookSenders(endpoints: readonly string[]): Promise<void>;
  /** Wakes the streams that follow a run. */
  announceEvents(run: string): Promise<void>;
  /** Shows the streams that follow a run which of its calls to models are under way. */
  reportCalls(run: string, calls: LiveCall[]): Promise<void>;
  /** The news of a run's feed; waits for them `wait_ms` at most. */
  nextUpdate(run: string, position: FeedPosition, wait_ms: number): Promise<FeedUpdate>;
  /** Sends a mail by the binding `EMAIL`, which is Cloudflare's, or SMTP on Node; throws when it refuses. null: it is not bound. */
  readonly sendMail: ((mail: Mail) => Promise<void>) | null;
  /** Whether Analytics Engine is bound. */
  readonly hasAnalytics: boolean;
  /** Writes a data point to Analytics Engine. */
  writeDataPoint(point: DataPoint): void;
}

/** A data point of Analytics Engine: one index to sample by, up to twenty texts, up to twenty numbers. */
export interface DataPoint {
  indexes: [string];
  blobs: string[];
  doubles: number[];
}
