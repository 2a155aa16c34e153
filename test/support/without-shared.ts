import { sharedPath } from "./shared";

/** Says once, before the tests begin, which of them are skipped because `../shared` is absent. */
export default function setup(): void {
  if (!sharedPath())
    console.warn(
      "There is no folder ../shared beside this repository. Tests on its data are skipped: hostile programs, Cucumber's acceptance " +
        "data, BFCL's functions, reference vectors of signatures, and authored metamodels.",
    );
}
