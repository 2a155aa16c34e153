/** A sentence in which pairs of backticks mark code, as in descriptions of schemas. */
export const CodeInText = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
