/** Says which of some texts have no word in them. A weak model copies the form that it is shown, "…" and all. */
export const wordless = (texts: readonly (readonly [where: string, text: string])[]): string[] =>
  texts.filter(([, text]) => !/[\p{L}\p{N}]/u.test(text)).map(([where]) => `${where} says nothing.`);
