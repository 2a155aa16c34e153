const WORDS: Readonly<Record<string, string>> = { input_required: "needs an answer" };

/** A status as a coloured word. The colour only repeats the word. */
export const Status = ({ status }: { status: string }) => (
  <span className={`status status-${status}`}>{WORDS[status] ?? status.replaceAll("_", " ")}</span>
);
