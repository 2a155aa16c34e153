import { humanize, plural } from "../shared/amounts.ts";
import { newestOf, useContents } from "../run/use-artifacts.ts";
import type { PictureProps } from "./method-picture.tsx";
import { ArtifactLink, Drawing } from "./parts.tsx";

interface RequirementModel {
  title: string;
  entities: { id: string; type: string; name: string; requirements?: string[] }[];
  relations: { type: string; from: string; to: string }[];
}

interface CheckMessage {
  accepted: boolean;
  review?: string;
  smells: { criterion?: string; description?: string; severity?: string }[];
}

/** The requirements model as a diagram, beside what it holds and what the Checker has said of it. */
export function RequirementsPicture({ run, artifacts }: PictureProps) {
  const model = newestOf(artifacts, "requirement_model");
  const checks = artifacts.filter(({ kind }) => kind === "check_message");
  const [content] = useContents<RequirementModel>(run.id, model ? [model] : []);
  const messages = useContents<CheckMessage>(run.id, checks);
  if (!model) return null;
  return (
    <section>
      <h2>Requirements model</h2>
      <div className="picture-beside">
        <Drawing run={run.id} artifact={newestOf(artifacts, "diagram_svg")} title="Diagram of the model" />
        <div>
          {content && <ModelContents model={content} />}
          <h3>Checks of draft and model</h3>
          {checks.length === 0 && <p className="quiet">Not checked yet.</p>}
          <ol>
            {checks.map(({ id }, at) => (
              <li key={id}>
                <ArtifactLink run={run.id} id={id}>
                  {messages[at] === undefined
                    ? "…"
                    : messages[at].accepted
                      ? "accepted"
                      : `sent back with ${plural(messages[at].smells.length, "finding")}`}
                </ArtifactLink>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

function ModelContents({ model }: { model: RequirementModel }) {
  const types = [...new Set(model.entities.map(({ type }) => type))];
  return (
    <>
      <h3>
        {plural(model.entities.length, "entity", "entities")}, {plural(model.relations.length, "relation")}
      </h3>
      {types.map((type) => (
        <details key={type} open={types.length <= 3}>
          <summary>
            {humanize(type)}{" "}
            <span className="quiet">{model.entities.filter((entity) => entity.type === type).length}</span>
          </summary>
          <ul>
            {model.entities
              .filter((entity) => entity.type === type)
              .map(({ id, name, requirements = [] }) => (
                <li key={id}>
                  {name} <span className="quiet">{requirements.join(", ")}</span>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </>
  );
}
