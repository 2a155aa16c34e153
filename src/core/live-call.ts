/** A call to a model that is under way. Nothing stores it: after a crash it is forgotten. */
export interface LiveCall {
  /** The act that makes the call. */
  act: string;
  /** The role that asks; null: an encoder. */
  role: string | null;
  /** `<provider>/<model>` */
  model: string;
  /** Milliseconds since the epoch. */
  since: number;
}
