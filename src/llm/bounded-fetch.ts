import { boundedBody, MAX_PROVIDER_RESPONSE, ResponseTooLargeError } from "#core/outbound/bounded-body";

/**
 * A `fetch` for providers: it reads no more of a response than `MAX_PROVIDER_RESPONSE`, and follows no redirect, which would carry the prompt
 * to a host that nobody configured.
 */
export const boundedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    const body = await boundedBody(response, MAX_PROVIDER_RESPONSE);
    if (body === null) throw new ResponseTooLargeError();
    const { status, statusText, headers } = response;
    return new Response(body.byteLength === 0 ? null : (body as Uint8Array<ArrayBuffer>), {
      status,
      statusText,
      headers,
    });
  };
