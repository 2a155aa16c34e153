/** Temporal for tests that run in Node, which has none; the Worker has workerd's own. */
import "temporal-polyfill/global";
