export * from "./errors.ts";
export type * from "./generated/types.gen.ts";
export type { ParleyOptions } from "./core.ts";
export type { CorpusProgress, CorpusUploadResult, DatasetProgress, ExportLine, UploadOptions } from "./files.ts";
export { List } from "./list.ts";
export { Parley } from "./parley.ts";
export type { LiveCall, CreateRunOf, EventsOptions, RunOf, WaitOptions, WorkflowName } from "./runs.ts";
export type { Source } from "./streams.ts";
export type { RequestOptions } from "./transport.ts";
