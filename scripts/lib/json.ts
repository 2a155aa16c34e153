/** A body as the API sends it: the programs that read it are those that check it. */
export type Json = any;
