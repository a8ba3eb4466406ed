/**
 * Lists with a filter that no index has. They walk along an index that has the order of the list, and one page walks
 * past a bounded number of rows only: it may be short, or empty, and the next one goes on from there.
 */

/** How many rows one page walks past at most. */
export const WALK_MAX = 1_000;

export interface Walked<Row, At = string> {
  rows: Row[];
  /** The place where the walk has stopped although there is more, by default as the order of the list writes it; else null. */
  stoppedAt: At | null;
}
