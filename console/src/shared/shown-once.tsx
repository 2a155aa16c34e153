import { CopyButton } from "./copy-button.tsx";

/** A secret that the API tells once: the page keeps it nowhere else. */
export const ShownOnce = ({ what, value }: { what: string; value: string }) => (
  <div className="box good" role="status">
    <h2>{what}</h2>
    <p>It is shown this once. Copy it now.</p>
    <p>
      <CopyButton text={value} />
    </p>
  </div>
);
