/** Requests are counted by the minute. Milliseconds. */
export const WINDOW = 60_000;

/** Whether a request is let in, how many more will be in this window, and when the next one begins. */
export interface Admission {
  admitted: boolean;
  remaining: number;
  resets_in_ms: number;
}

/** The moving parts of the platform as the verbs see them. Each call may be lost in a crash: the keeper repairs that. */
export interface Platform {
  /** Creates the Workflow instance of a run's epoch; does nothing when it exists. */
  createInstance(run: { id: string; epoch: number }): Promise<void>;
  /** Wakes an instance that waits for an event of this type; false when there is no such instance. */
  sendEvent(run: { id: string; epoch: number }, type: string): Promise<boolean>;
  /** What the platform says of a run's instance, or `missing`. */
  instanceStatus(run: { id: string; epoch: number }): Promise<InstanceStatus["status"] | "missing">;
  /** Removes the Workflow instances of all of a finished run's epochs, with what the platform keeps of them. May be repeated. */
  deleteInstances(run: { id: string; epoch: number }): Promise<void>;
  /** Makes sure that the keeper's alarm is set, and stays so for a while. */
  armKeeper(): Promise<void>;
  /** Tells the indexers of these corpora that there is work. */
  wakeIndexers(corpora: readonly string[]): Promise<void>;
  /** Counts a request of this name, an API key's id or the like; null when it cannot be counted in time, which is logged and keeps nobody out. */
  admit(name: string, limit: number): Promise<Admission | null>;
  /** Tells the senders of these webhook endpoints that a delivery is due. */
  wakeWebhookSenders(endpoints: readonly string[]): Promise<void>;
  /** Whether data points go anywhere: Analytics Engine is bound. */
  readonly hasAnalytics: boolean;
  /** Writes a data point to Analytics Engine. */
  writeDataPoint(point: DataPoint): void;
}

/** What Analytics Engine takes: one index to sample by, up to twenty texts, up to twenty numbers. */
export interface DataPoint {
  indexes: [string];
  blobs: string[];
  doubles: number[];
}
