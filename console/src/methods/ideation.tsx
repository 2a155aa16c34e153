import type { PictureProps } from "./method-picture.tsx";

export const IdeationPicture = (_: PictureProps) => null;
