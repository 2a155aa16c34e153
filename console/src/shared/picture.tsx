import { useEffect, useState } from "react";

/** An SVG as a picture: in an <img> from a blob it executes no script, loads nothing, and sees nothing of the page. */
export function Picture({ svg, title }: { svg: string; title: string }) {
  const [url, setUrl] = useState<string>();
  const [large, setLarge] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  if (!url) return null;
  return (
    <figure className={large ? "picture large" : "picture"}>
      <div className="scroll" role="region" aria-label={title} tabIndex={0}>
        <img src={url} alt={title} />
      </div>
      <figcaption>
        <button type="button" className="plain" onClick={() => setLarge(!large)}>
          {large ? "Fit the width" : "Natural size"}
        </button>
      </figcaption>
    </figure>
  );
}
