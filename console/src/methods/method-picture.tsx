import type { Artifact, Run } from "../parley.ts";
import { DebatePicture } from "./debate.tsx";
import { ExperimentPicture } from "./experiment.tsx";
import { IdeationPicture } from "./ideation.tsx";
import { RequirementsPicture } from "./requirements.tsx";
import { WaterfallPicture } from "./waterfall.tsx";

export interface PictureProps {
  run: Run;
  artifacts: Artifact[];
}

const PICTURES: Readonly<Record<string, (props: PictureProps) => React.ReactNode>> = {
  requirements: RequirementsPicture,
  debate: DebatePicture,
  ideation: IdeationPicture,
  waterfall: WaterfallPicture,
  experiment: ExperimentPicture,
};

/** A run as its method draws it; nothing for a method without a picture of its own. */
export default function MethodPicture(props: PictureProps) {
  const Drawn = PICTURES[props.run.workflow];
  return Drawn ? <Drawn {...props} /> : null;
}
