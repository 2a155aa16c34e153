export { chunksOf } from "#core/chunks";
