/** The key of the API, kept for the tab: sessionStorage is the page's own, and no cookie is ever sent. */
const NAME = "parley.key";

/**
 * Takes a key out of the fragment of a sign-in link, and the fragment out of the address and the history. The key is not kept: anybody can make
 * such a link, so the person at the page decides.
 * @returns null: there is none, or it is the one that is kept already
 */
export function takeKeyFromFragment(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return key === storedKey() ? null : key;
}

export const storedKey = (): string | null => sessionStorage.getItem(NAME);

export const storeKey = (key: string): void => sessionStorage.setItem(NAME, key);

export const forgetKey = (): void => sessionStorage.removeItem(NAME);
