import { Link } from "wouter";
import type { Artifact } from "../parley.ts";
import { useArtifact } from "../run/use-artifacts.ts";
import { Picture } from "../shared/picture.tsx";

/** A link to an artifact of a run. */
export const ArtifactLink = ({ run, id, children }: { run: string; id: string; children: React.ReactNode }) => (
  <Link href={`/runs/${run}/artifacts?artifact=${id}`}>{children}</Link>
);

/** A drawing that the run has made, with its heading. */
export function Drawing({ run, artifact, title }: { run: string; artifact: Artifact | undefined; title: string }) {
  if (!artifact) return null;
  return (
    <div className="drawing">
      <h3>{title}</h3>
      <DrawingContent run={run} id={artifact.id} title={title} />
    </div>
  );
}

function DrawingContent({ run, id, title }: { run: string; id: string; title: string }) {
  const { data } = useArtifact(run, id);
  return typeof data?.content === "string" ? (
    <Picture svg={data.content} title={title} />
  ) : (
    <p className="quiet">Loading …</p>
  );
}
