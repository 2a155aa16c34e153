import type { SealContext } from "#core/secrets";

/** The place of an endpoint's secret, the previous one included: a rotation moves it from one column to the other. */
export const signingSecretOf = ({ tenant_id, id }: { tenant_id: string; id: string }): SealContext => ({
  table: "webhook_endpoints",
  tenant: tenant_id,
  id,
  purpose: "signing secret",
});

/** The place of the headers that are secrets of the receiver. */
export const headersOf = ({ tenant_id, id }: { tenant_id: string; id: string }): SealContext => ({
  table: "webhook_endpoints",
  tenant: tenant_id,
  id,
  purpose: "headers",
});
