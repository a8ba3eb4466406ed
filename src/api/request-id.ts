/** The id of one request, for its answer and the log. It is made here, and an id from the client is ignored (D151). */
import { newId } from '../db/pg/ids';

export const newRequestId = (): string => `req_${newId().replaceAll('-', '')}`;
