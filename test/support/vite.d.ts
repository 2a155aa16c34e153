interface ImportMeta {
  /** Of Vite: the texts of the matching files, by path. */
  glob(pattern: string, options: { query: "?raw"; import: "default"; eager: true }): Record<string, string>;
  /** The values of matching JSON files, by path. */
  glob(pattern: string, options: { import: "default"; eager: true }): Record<string, unknown>;
}
