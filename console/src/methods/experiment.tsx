import type { PictureProps } from "./method-picture.tsx";

export const ExperimentPicture = (_: PictureProps) => null;
