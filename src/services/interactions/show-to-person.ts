import { Problem } from "#core/errors";
import type { PresentedInteraction } from "./schema";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import type { Presentation } from "#workflow-kit/presentation";
import { artifactsOf, type ShownArtifact } from "./shown-artifacts";
import { formFields, isRecord, type NamedField } from "./form-fields";
import { nameOptions } from "./name-options";
import { presentArtifact } from "./present-artifact";
import { presentInteraction, callbackOf } from "./interactions";

/** The data that a callback URL shows to a person: this interaction and its artifacts, nothing else of the run. */
export interface PersonView {
  interaction: PresentedInteraction;
  fields: NamedField[];
  /** True while it accepts an answer. The stored status may still be `open` after the expiry, until the maintenance worker expires it. */
  open: boolean;
  /** Title of the workflow. */
  workflow: string;
  /** The language tag of the run's input, if it has one. */
  language: string | null;
  artifacts: (ShownArtifact & Pick<Presentation, "content" | "parts">)[];
  /** Names for the ids in the form. */
  names: Readonly<Record<string, string>>;
}

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** @throws Problem `not_found` when the run was deleted a moment ago */
export async function showToPerson(services: Services, row: InteractionRow): Promise<PersonView> {
  const { store, workflows } = services;
  const run = await store.runs.get(row, row.run_id);
  if (!run) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  const [input, artifacts] = await Promise.all([store.runs.input(run), artifactsOf(services, row, run)]);
  const presented = await Promise.all(artifacts.map((artifact) => presentArtifact(services, run, input, artifact)));
  const names: PersonView["names"] = Object.assign({}, ...presented.map((one) => one.names));
  return {
    interaction: presentInteraction(row, run, callbackOf(services, row, run.origin)),
    fields: nameOptions(formFields(row), names),
    open: row.status === "open" && row.expires_at > Date.now(),
    workflow: workflows[run.workflow]?.title ?? run.workflow,
    language: languageOf(input),
    artifacts: artifacts.map((artifact, at) => {
      const { content, parts, subject = artifact.subject } = presented[at]!;
      return { ...artifact, subject, content, parts };
    }),
    names,
  };
}

const languageOf = (input: unknown): string | null =>
  isRecord(input) && typeof input.language === "string" && LANGUAGE_TAG.test(input.language) ? input.language : null;
