/** Ids of rows: time-ordered uuids, so that the newest index pages stay in memory (R5). */
import { uuidv7 } from 'uuidv7';

export const newId = (): string => uuidv7();

/** Below and above every id there can be: the place before a list's first row, read upwards or downwards. */
export const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
