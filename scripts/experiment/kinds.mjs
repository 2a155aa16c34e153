import { bfcl } from "./kinds/bfcl.mjs";
import { ideation } from "./kinds/ideation.mjs";
import { mgsm } from "./kinds/mgsm.mjs";
import { mmluLaw } from "./kinds/mmlu-law.mjs";
import { mtBench } from "./kinds/mt-bench.mjs";
import { oab } from "./kinds/oab.mjs";
import { requirements } from "./kinds/requirements.mjs";

/**
 * @typedef {{name: string, workflow: string, options?: object}} Variant
 * @typedef {{items: object[], documents?: object[]}} Data items of a data set, and documents of the corpus that they search
 */

/**
 * A kind of experiment: what is compared on which data, and how its published set is read.
 * @typedef {object} Kind
 * @property {string} name
 * @property {string} title
 * @property {string} workflow whose inputs the items hold
 * @property {Variant[]} variants the default ones: the method first, then the paper's profile and the baselines
 * @property {Variant[]} [further] played when `--variants` names them
 * @property {string} [without] why a usual variant is not among the default ones
 * @property {string[]} metrics
 * @property {Record<string, string[]>} [metrics_of] further metrics when a variant is played, by its name
 * @property {{name: string, where: string, licence: string, folders: string[], files: string}} published the set and its files; `folders`: where in
 * the named folder they may lie
 * @property {(folder: string) => Data | null} read a folder in its publishers' layout; null: their files are not there
 */

/** @type {readonly Kind[]} */
export const KINDS = [mgsm, bfcl, mtBench, oab, mmluLaw, ideation, requirements];
