/** The work that is done in threads. What it is given and what it gives is copied from one side to the other. */
import { drawWholeStatement } from './draw-statement';
import { readBulkBody } from './read-bulk';

export const JOBS = { readBulk: readBulkBody, drawStatement: drawWholeStatement } as const;

export type JobName = keyof typeof JOBS;
export type Given<Name extends JobName> = Parameters<(typeof JOBS)[Name]>[0];
export type Result<Name extends JobName> = Awaited<ReturnType<(typeof JOBS)[Name]>>;
/** What comes while the work is under way, for work that takes such. */
export type Part<Name extends JobName> =
  Parameters<(typeof JOBS)[Name]> extends [unknown, AsyncIterable<infer Each>] ? Each : never;
