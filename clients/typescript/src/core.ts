import { createClient, type Client } from "./generated/client/index.ts";
import { List } from "./list.ts";
import { retrying, type RequestOptions, type Transport } from "./transport.ts";

/** Settings of a client. `apiKey` and `baseURL` come from `PARLEY_API_KEY` and `PARLEY_BASE_URL` when they are not given. */
export interface ParleyOptions {
  apiKey?: string;
  baseURL?: string;
  /** How often a failed request is repeated; 2 by default. */
  maxRetries?: number;
  /** For one attempt, in milliseconds; a minute by default. */
  timeout?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What an operation is given beside the settings of its request. */
interface RequestParts {
  body?: unknown;
  path?: object;
  query?: object;
  parseAs?: "arrayBuffer" | "json" | "stream" | "text";
  headers?: Record<string, string>;
  bodySerializer?: null;
}

/** An operation of the generated core, what it is asked with, and what it is answered with. */
type Operation = (options: any) => Promise<unknown>;
type OperationRequest<F extends Operation> = NonNullable<Parameters<F>[0]>;
type OperationResponse<F extends Operation> = Exclude<Awaited<ReturnType<F>>, undefined>;
type Query<F extends Operation> = OperationRequest<F> extends { query?: infer Q } ? Q : never;
type WithBody<F extends Operation> =
  OperationRequest<F> extends { body: infer B }
    ? [body: B, options?: RequestOptions]
    : [body?: OperationRequest<F>["body"], options?: RequestOptions];
type Page = { data: unknown[] };
type ListOf<F extends Operation> = List<Extract<OperationResponse<F>, Page>>;

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

/** Sends the operations of the generated core with the client's settings. */
export class Core {
  readonly #client: Client;
  readonly #transport: Transport;

  constructor(options: ParleyOptions) {
    const apiKey = options.apiKey ?? environment("PARLEY_API_KEY");
    const baseURL = options.baseURL ?? environment("PARLEY_BASE_URL");
    if (!baseURL) throw new TypeError("Give baseURL, or set PARLEY_BASE_URL.");
    const { maxRetries = 2, timeout = 60_000, fetch = (url, init) => globalThis.fetch(url, init) } = options;
    this.#transport = { maxRetries, timeout, fetch };
    this.#client = createClient({ baseUrl: baseURL.replace(/\/+$/, ""), auth: apiKey, throwOnError: true });
  }

  send<F extends Operation>(operation: F, given: RequestParts = {}, options: RequestOptions = {}) {
    const { signal, idempotencyKey, headers, maxRetries, timeout } = options;
    const transport = {
      ...this.#transport,
      ...(maxRetries !== undefined && { maxRetries }),
      ...(timeout !== undefined && { timeout }),
    };
    return operation({
      ...given,
      client: this.#client,
      signal,
      headers: { ...given.headers, ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }), ...headers },
      fetch: retrying(transport, given.parseAs === "stream"),
    }) as Promise<OperationResponse<F>>;
  }

  /** The body of the answer, as it arrives. */
  stream(operation: Operation, given: RequestParts = {}, options?: RequestOptions) {
    return this.send(operation, { ...given, parseAs: "stream" }, options) as Promise<ReadableStream<Uint8Array>>;
  }

  #list<F extends Operation>(operation: F, given: RequestParts, options?: RequestOptions): ListOf<F> {
    const read = (cursor?: string) =>
      this.send(operation, { ...given, query: { ...given.query, ...(cursor && { cursor }) } }, options);
    return new List(read as () => Promise<Extract<OperationResponse<F>, Page>>);
  }

  /** The method of an operation without parameters. */
  plain<F extends Operation>(operation: F) {
    return (options?: RequestOptions) => this.send(operation, {}, options);
  }

  /** The method of an operation that has only a query. */
  query<F extends Operation>(operation: F) {
    return (query?: Query<F>, options?: RequestOptions) => this.send(operation, { query: query as object }, options);
  }

  /** The method of an operation on what a parameter of the path names. */
  one<F extends Operation>(operation: F, parameter = "id") {
    return (id: string, options?: RequestOptions) => this.send(operation, { path: { [parameter]: id } }, options);
  }

  /** The method of an operation on a part of something. */
  part<F extends Operation>(operation: F, parameter: string, given: RequestParts = {}) {
    return (id: string, part: string, options?: RequestOptions) =>
      this.send(operation, { ...given, path: { id, [parameter]: part } }, options);
  }

  /** The method of an operation that has only a body. */
  body<F extends Operation>(operation: F) {
    return (...[body, options]: WithBody<F>) => this.send(operation, { body }, options);
  }

  /** The method of an operation with a body, on what a parameter of the path names. */
  bodyFor<F extends Operation>(operation: F, parameter = "id") {
    return (id: string, ...[body, options]: WithBody<F>) =>
      this.send(operation, { path: { [parameter]: id }, body }, options);
  }

  list<F extends Operation>(operation: F) {
    return (query?: Query<F>, options?: RequestOptions) => this.#list(operation, { query: query as object }, options);
  }

  /** The list of something's parts. */
  listOf<F extends Operation>(operation: F) {
    return (id: string, query?: Query<F>, options?: RequestOptions) =>
      this.#list(operation, { path: { id }, query: query as object }, options);
  }
}
