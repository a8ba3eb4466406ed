/** The id of one request, for its answer and the log. An id from the client is ignored (D151). */
import { newId } from '../db/pg/ids';
import { requestIdOf } from '../domain/request-ids';

export const newRequestId = (): string => requestIdOf(newId());
