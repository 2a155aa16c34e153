/** The key of the API, kept for the tab: sessionStorage is the page's own, and no cookie is ever sent. */
const NAME = "parley.key";

/** Takes a key out of the fragment of a sign-in link, and the fragment out of the address and the history. @returns whether there was one */
export function takeKeyFromFragment(): boolean {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return false;
  sessionStorage.setItem(NAME, key);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

export const storedKey = (): string | null => sessionStorage.getItem(NAME);

export const storeKey = (key: string): void => sessionStorage.setItem(NAME, key);

export const forgetKey = (): void => sessionStorage.removeItem(NAME);
