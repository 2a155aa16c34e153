import type OpenAI from "openai";
import { VERSION } from "openai/version";
import { boundedFetch } from "./bounded-fetch";
import { defaultCapabilities } from "./capabilities";
import { gateName } from "./limits/gate-name";
import type { KeyOwner, OwnKeys } from "./own-keys";
import type { Provider, Providers } from "./providers";
import { MOCK_MODEL, mockFetch } from "./mock/endpoint";
import { LlmError, type ModelCall } from "./types";
import type { Target } from "./target";

/** What reaches models. */
export interface Endpoints {
  providers: Providers;
  keys: OwnKeys | undefined;
  /** undefined: the global one. */
  fetch: typeof globalThis.fetch | undefined;
}

/** The target of a configured model. @param owner whose own key is used, if there is one */
export async function providerTarget(
  label: string,
  owner: KeyOwner | undefined,
  { providers, keys, fetch }: Endpoints,
): Promise<Target> {
  const slash = label.indexOf("/");
  const provider = providers.byName.get(label.slice(0, Math.max(0, slash)));
  if (!provider) {
    throw new LlmError("provider_unreachable", `The provider of the model ${label} is not configured any more.`, {
      retryable: false,
      model_refused: true,
    });
  }
  const model = label.slice(slash + 1);
  const { price, reasoning_effort, verbosity, ...ofModel } = provider.models.get(model) ?? {};
  const configured = { ...(provider.api !== "auto" && { api: provider.api }), ...ofModel };
  const own = owner && keys ? await keys.of(owner, provider.name) : null;
  return {
    client: await (own === null ? clientOf(provider, fetch) : newClient(provider.base_url, own, fetch)),
    label,
    model,
    price: price ?? null,
    parameters: { ...(reasoning_effort && { reasoning_effort }), ...(verbosity && { verbosity }) },
    api_key: own ?? provider.api_key,
    own_key: own !== null,
    assumed: defaultCapabilities(provider.base_url),
    configured,
    gate: provider.limits && {
      provider: gateName(provider.name, own === null ? null : owner!.tenant_id),
      limits: provider.limits,
    },
  };
}

const clients = new WeakMap<Provider, OpenAI>();

/** The client of a provider, cached unless a `fetch` is given. */
export async function clientOf(provider: Provider, fetch?: typeof globalThis.fetch): Promise<OpenAI> {
  const cached = fetch ? undefined : clients.get(provider);
  const client = cached ?? (await newClient(provider.base_url, provider.api_key, fetch));
  if (!fetch) clients.set(provider, client);
  return client;
}

/** The target of test mode: the same client over a `fetch` that makes the answers. */
export async function mockTarget(mock: NonNullable<ModelCall<unknown>["mock"]>): Promise<Target> {
  const base_url = "http://mock.invalid/v1";
  return {
    client: await newClient(base_url, null, mockFetch(mock)),
    label: MOCK_MODEL,
    model: MOCK_MODEL,
    price: { input: 0, output: 0 },
    parameters: {},
    api_key: null,
    own_key: false,
    assumed: defaultCapabilities(base_url),
    configured: {},
    gate: null,
  };
}

/** The SDK's default, set here because the SDK derives it from its class name, which is minified in the Worker. */
const USER_AGENT = `OpenAI/JS ${VERSION}`;

/**
 * Sets every option that the SDK would otherwise read from the environment, so that no provider receives another's credentials.
 * The SDK is loaded by the first call of a model: it is a tenth of the time in which the Worker starts.
 */
async function newClient(baseURL: string, api_key: string | null, fetch?: typeof globalThis.fetch): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    baseURL,
    apiKey: api_key ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { "User-Agent": USER_AGENT, ...(api_key === null && { Authorization: null }) },
    maxRetries: 0,
    logLevel: "off",
    fetch: boundedFetch(fetch ?? globalThis.fetch),
  });
}
