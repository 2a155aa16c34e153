import { useRef, useState } from "react";

/** A text that a click copies. */
export function CopyButton({ text, shown = text }: { text: string; shown?: string }) {
  const [said, setSaid] = useState("");
  const shownText = useRef<HTMLElement>(null);
  /** Pages without TLS have no clipboard, and a browser may refuse it: the text is then selected for the keyboard. */
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("copied");
    } catch {
      getSelection()?.selectAllChildren(shownText.current!);
      setSaid("selected: copy it with Ctrl-C");
    }
    setTimeout(() => setSaid(""), 3000);
  };
  return (
    <button type="button" className="copy" onClick={copy} title="Copy">
      <code ref={shownText}>{shown}</code> <span aria-live="polite">{said}</span>
    </button>
  );
}
