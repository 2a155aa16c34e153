/** A table as a paper lays it out. */
export interface Layout {
  title: string;
  markdown: string;
}
