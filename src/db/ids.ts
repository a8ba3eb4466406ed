/** Ids of rows: time-ordered uuids, so that the newest index pages stay in memory (R5). */
import { uuidv7 } from 'uuidv7';

export const newId = (): string => uuidv7();
