/** The name of a provider's gate. A provider counts the requests of each key for itself. @param tenant whose own key is used; null: the deployment's */
export const gateName = (provider: string, tenant: string | null): string =>
  tenant === null ? provider : `${provider}@${tenant}`;
