import { useState } from "react";

/** A text that a click copies. */
export function CopyButton({ text, shown = text }: { text: string; shown?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" className="copy" onClick={copy} title="Copy">
      <code>{shown}</code> <span aria-live="polite">{copied ? "copied" : ""}</span>
    </button>
  );
}
