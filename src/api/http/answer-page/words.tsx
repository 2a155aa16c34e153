/** A sentence of ours, in which `code` is between backticks, as in the docs. */
export const Words = ({ text }: { text: string }) => (
  <>
    {text
      .split("`")
      .map((part, at, parts) =>
        at % 2 === 1 && at < parts.length - 1 ? <code>{part}</code> : at % 2 ? `\`${part}` : part,
      )}
  </>
);
