import type OpenAI from "openai";
import type { Capabilities, GatedProvider, ModelParameters, Price } from "./types";

/** The endpoint and model of a call, with what is known of the model before the first request. */
export interface Target {
  client: OpenAI;
  /** Name in answers and errors: `<provider>/<model>`, or `mock`. */
  label: string;
  /** The model's name at its provider. */
  model: string;
  price: Price | null;
  /** Sent where the call states none. */
  parameters: ModelParameters;
  api_key: string | null;
  /** Whether a tenant has brought the key. */
  own_key: boolean;
  assumed: Capabilities;
  configured: Partial<Capabilities>;
  /** Limits of the provider; null: none. */
  gate: GatedProvider | null;
}
