/** A call to a model that is under way. Nothing stores it: after a crash it is forgotten. */
export interface LiveCall {
  /** The step that makes the call. */
  step: string;
  /** The role that asks; null: an encoder. */
  role: string | null;
  /** `<provider>/<model>` */
  model: string;
  /** Milliseconds since the epoch. */
  since: number;
}
