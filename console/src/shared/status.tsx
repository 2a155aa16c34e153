const WORDS: Readonly<Record<string, string>> = { input_required: "needs an answer" };

export const statusLabel = (status: string): string => WORDS[status] ?? status.replaceAll("_", " ");

/** A status as a coloured word. The colour only repeats the word. */
export const Status = ({ status }: { status: string }) => (
  <span className={`status status-${status}`}>{statusLabel(status)}</span>
);
