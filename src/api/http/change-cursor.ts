import { encode, readCursor } from "./pages";

/** Cursors of lists of runs by their last change: the time of the change, 15 digits of milliseconds, and the id of the run. */

/** The name of these lists in their cursors. */
export const BY_CHANGE = "runs_by_change";
const PLACE = /^\d{15}-run_[0-9A-Z]{26}$/;

/** What gives a run its place in such a list. */
export interface Changed {
  /** RFC 3339. */
  updated_at: string;
  id: string;
}

/** Sorts before the places of runs that changed later. */
export const placeOf = ({ updated_at, id }: Changed): string =>
  `${String(Date.parse(updated_at)).padStart(15, "0")}-${id}`;

/** The cursor that continues behind a run. */
export const cursorBehind = (run: Changed): string => encode(BY_CHANGE, placeOf(run));

/** The place that a cursor continues behind; null without a cursor. @throws Problem `invalid_cursor` */
export const readChangeCursor = (cursor: string | undefined): string | null => readCursor(BY_CHANGE, PLACE, cursor);
