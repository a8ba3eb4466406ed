/**
 * How to see that a Temporal server serves a namespace: it is asked for a workflow that does not exist, and answers that
 * there is none. Here is what the ways of asking have in common.
 */

/** No workflow has this id: looking for it makes the server read what it has stored. */
export const NOBODY = 'health-look';
/** The status of gRPC. */
const NOT_FOUND = 5;

/** Whether an answer with this status of gRPC and this text says that there is no such workflow. */
export const saysNobody = (code: number | undefined, details = ''): boolean =>
  // An unknown namespace is NOT_FOUND as well.
  code === NOT_FOUND && !/namespace/i.test(details);
