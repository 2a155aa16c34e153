/** Replaces `node:timers/promises` in a simulation: its timers are those of the virtual clock. */
const wait = (ms: number) => new Promise((resolve) => void globalThis.setTimeout(() => resolve(undefined), ms));
export { wait as setTimeout };
