/** The id of one request, in its answer and in the log: ours, never the client's own (D151). */
import { newId } from '../db/pg/ids';

export const newRequestId = (): string => `req_${newId().replaceAll('-', '')}`;
