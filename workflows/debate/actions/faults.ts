/** Lists the texts without a letter or digit. A weak model copies the template of its prompt, "…" included. */
export const wordless = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => !/[\p{L}\p{N}]/u.test(text)).map(([where]) => `${where} says nothing.`);
