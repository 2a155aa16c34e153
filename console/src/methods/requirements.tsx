import type { PictureProps } from "./method-picture.tsx";

export const RequirementsPicture = (_: PictureProps) => null;
