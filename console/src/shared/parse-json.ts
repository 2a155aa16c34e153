/** @param what the field that the text is in @throws Error that names the field */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what}: this is not JSON yet. ${(error as Error).message}`, { cause: error });
  }
}
