interface ImportMeta {
  /** Vite's: the text of the files that fit, by path. */
  glob(pattern: string, options: { query: "?raw"; import: "default"; eager: true }): Record<string, string>;
}
