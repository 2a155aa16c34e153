/** Exit codes of the command, as `--help` lists them. */
export const EXIT = { done: 0, failed: 1, usage: 2, declined: 3, stopped: 130 };

/** A reason to end that the person at the terminal can put right: a sentence, with what to do. */
export class CommandError extends Error {
  readonly exit: number;

  /** @param exit one of EXIT */
  constructor(message: string, exit: number = EXIT.usage) {
    super(message);
    this.exit = exit;
  }
}
