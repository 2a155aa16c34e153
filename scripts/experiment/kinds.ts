import { bfcl } from "./kinds/bfcl.ts";
import { ideation } from "./kinds/ideation.ts";
import { mgsm } from "./kinds/mgsm.ts";
import { mmluLaw } from "./kinds/mmlu-law.ts";
import { mtBench } from "./kinds/mt-bench.ts";
import { oab } from "./kinds/oab.ts";
import { requirements } from "./kinds/requirements.ts";

export interface Variant {
  name: string;
  workflow: string;
  options?: object;
}

/** An item of a data set or a document of a corpus, as the API takes it. */
export type Item = Record<string, any>;

/** Items of a data set, and documents of the corpus that they search. */
export interface Data {
  items: Item[];
  documents?: Item[];
}

/** A kind of experiment: what is compared on which data, and how its published set is read. */
export interface Kind {
  name: string;
  title: string;
  /** whose inputs the items hold */
  workflow: string;
  /** the default ones: the method first, then the paper's profile and the baselines */
  variants: Variant[];
  /** run when `--variants` names them */
  further?: Variant[];
  /** why a usual variant is not among the default ones */
  without?: string;
  metrics: string[];
  /** further metrics when a variant is run, by its name */
  metrics_of?: Record<string, string[]>;
  /** the set and its files; `folders`: where in the named folder they may lie */
  published: { name: string; where: string; licence: string; folders: string[]; files: string };
  /** a folder in its publishers' layout; null: their files are not there */
  read: (folder: string) => Data | null;
}

export const KINDS: readonly Kind[] = [mgsm, bfcl, mtBench, oab, mmluLaw, ideation, requirements];
