/** What `cloudflare:workers` is to tests on the Node host: its classes, and the bindings and the Worker that start.ts puts here. */
export { DurableObject, WorkflowEntrypoint } from "../../../src/node/cloudflare-workers";

export const env: Record<string, unknown> = {};
export const exports: { default: { fetch: typeof fetch } } = {} as never;
