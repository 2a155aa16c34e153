import type { PictureProps } from "./method-picture.tsx";

export const DebatePicture = (_: PictureProps) => null;
