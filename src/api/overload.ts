/**
 * Turns away what the ledger could not write in time, before anything is done for it: no credential is looked up and no
 * body is read. A request that is refused late costs most of what a payment costs, and so takes the time of those
 * that are accepted (G28).
 */
import type { IncomingMessage } from 'node:http';
import { UnavailableError } from '../runtime/unavailable';
import { refuse } from '../domain/outcome';
import type { Environments } from '../runtime/environment';
import { environmentOfKey } from '../wire/api-keys';
import { statusOf, writeError } from '../wire/errors';
import { FORMS, type Form } from '../wire/forms';
import { readBearer } from './authenticate';

/** Why a request is turned away, for the log. */
export const TOO_LATE = new UnavailableError('more movements wait than can be written in time');

/**
 * Whether a payment with this credential would be turned away by every cell that may be its partner's. Only the
 * prefix of an API key is read. For an access token the answer is no: it is asked again once the cell is known.
 */
export function isLateForAll(environments: Environments, request: IncomingMessage): boolean {
  const bearer = readBearer(request);
  const name = bearer.ok ? environmentOfKey(bearer.value) : null;
  const environment = name === null ? undefined : environments[name];
  if (environment === undefined) return false;
  for (const cell of environment.cells.values()) if (!cell.isLate()) return false;
  return true;
}

const { refusal } = refuse('SERVICE_UNAVAILABLE');
/** Stands for the id of the request while the answers are made. No other part of them has this text. */
const ID = '{id}';

/** The answer without the id of its request. */
interface Prepared {
  status: number;
  /** What comes before the id, and what comes after it. */
  parts: readonly [string, string];
}

const PREPARED = Object.fromEntries(
  FORMS.map((form): [Form, Prepared] => {
    const status = statusOf(refusal, form, false);
    const [before = '', after = ''] = writeError(refusal, form, status, ID).split(ID);
    return [form, { status, parts: [before, after] }];
  }),
) as Record<Form, Prepared>;

/** The refusal in a form, of which only the id of the request is new: its status and its JSON text. */
export function refusalOfLate(form: Form, requestId: string): { status: number; body: string } {
  const { status, parts } = PREPARED[form];
  return { status, body: parts[0] + requestId + parts[1] };
}
