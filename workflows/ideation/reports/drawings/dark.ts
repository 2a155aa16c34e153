/** In the dark: fills and strokes of the cells of the bracket, and the red of the matrix. */
export const DARK_COLOURS: Readonly<Record<string, string>> = {
  "#eaf7ee": "#173024",
  "#2f7d4f": "#6dc294",
  "#fff0f0": "#3a1f1f",
  "#b23b3b": "#ec8b8b",
  "#fff3d6": "#3a2d10",
  "#a8690a": "#e0a94a",
  "#f4f6f8": "#232830",
};
