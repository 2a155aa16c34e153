export { isForeign } from "#core/jurisdiction";
