import type { PictureProps } from "./method-picture.tsx";

export const WaterfallPicture = (_: PictureProps) => null;
