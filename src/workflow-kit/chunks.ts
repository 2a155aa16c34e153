export { chunksOf } from "../chunks";
