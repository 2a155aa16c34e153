import type OpenAI from "openai";
import type { Price, Capabilities, GatedProvider } from "./types";

/** Where the requests of a call go, and what is known of the model there before asking it anything. */
export interface Target {
  client: OpenAI;
  /** `<provider>/<model>`, or `rehearsal`: how answers and errors name it. */
  label: string;
  /** The model's name with its provider. */
  model: string;
  price: Price | null;
  api_key: string | null;
  assumed: Capabilities;
  configured: Partial<Capabilities>;
  /** The gate that its requests pass; null: none. */
  gate: GatedProvider | null;
}
