/**
 * What the answer of NIP, the national instant payment rail, says about the money. Integrators publish different
 * readings. Where they differ, the careful one is taken: a transfer that is reported late or unknown may have been
 * credited, and to give it back would pay twice.
 */

/**
 * - `success`: final, complete the transfer.
 * - `failed`: final, give the money back.
 * - `failed_confirm`: give it back only once a status query agrees.
 * - `unknown`: ask again later, never give it back.
 * - `unknown_manual`: the rail may hold the money, a person decides.
 */
export type NipOutcome = 'success' | 'failed' | 'failed_confirm' | 'unknown' | 'unknown_manual';

/** The code of an account that does not exist; our own MFB answers it too (D159). */
export const INVALID_ACCOUNT = '07';

export interface NipResponseCode {
  readonly code: string;
  readonly meaning: string;
  readonly outcome: NipOutcome;
}

/** The published response codes of NIBSS and of the gateways in front of it. */
export const NIP_RESPONSE_CODES: readonly NipResponseCode[] = [
  { code: '00', meaning: 'Approved or completed successfully', outcome: 'success' },
  { code: '01', meaning: 'Status unknown, wait for settlement report', outcome: 'unknown' },
  { code: '02', meaning: 'Status unknown, wait for settlement report', outcome: 'unknown' },
  { code: '03', meaning: 'Invalid sender', outcome: 'failed' },
  { code: '05', meaning: 'Do not honor', outcome: 'failed' },
  { code: '06', meaning: 'Dormant account', outcome: 'failed' },
  { code: '07', meaning: 'Invalid account', outcome: 'failed' },
  { code: '08', meaning: 'Account name mismatch', outcome: 'failed' },
  { code: '09', meaning: 'Request processing in progress', outcome: 'unknown' },
  { code: '12', meaning: 'Invalid transaction', outcome: 'failed' },
  { code: '13', meaning: 'Invalid amount', outcome: 'failed' },
  { code: '14', meaning: 'Invalid batch number', outcome: 'failed' },
  { code: '15', meaning: 'Invalid session or record ID', outcome: 'failed' },
  { code: '16', meaning: 'Unknown bank code', outcome: 'failed' },
  { code: '17', meaning: 'Invalid channel', outcome: 'failed' },
  { code: '18', meaning: 'Wrong method call', outcome: 'failed' },
  { code: '21', meaning: 'No action taken', outcome: 'failed' },
  // The switch has no record yet: it may still get one, so absence is not failure.
  { code: '25', meaning: 'Unable to locate record', outcome: 'unknown' },
  // The session id was used before: the first transfer under it may have been paid.
  { code: '26', meaning: 'Duplicate record', outcome: 'unknown' },
  { code: '30', meaning: 'Format error', outcome: 'failed' },
  { code: '34', meaning: 'Suspected fraud', outcome: 'unknown_manual' },
  { code: '35', meaning: 'Contact sending bank', outcome: 'unknown_manual' },
  // Our own balance at the provider is too low, not the customer's.
  { code: '51', meaning: 'No sufficient funds', outcome: 'failed' },
  { code: '57', meaning: 'Transaction not permitted to sender', outcome: 'failed' },
  { code: '58', meaning: 'Transaction not permitted on channel', outcome: 'failed' },
  { code: '61', meaning: 'Transfer limit exceeded', outcome: 'failed' },
  { code: '63', meaning: 'Security violation', outcome: 'unknown_manual' },
  { code: '65', meaning: 'Exceeds withdrawal frequency', outcome: 'failed' },
  { code: '68', meaning: 'Response received too late', outcome: 'unknown' },
  { code: '69', meaning: 'Unsuccessful account/amount block', outcome: 'failed' },
  { code: '70', meaning: 'Unsuccessful account/amount unblock', outcome: 'failed' },
  { code: '71', meaning: 'Empty mandate reference number', outcome: 'failed' },
  { code: '81', meaning: 'Transaction failed', outcome: 'failed' },
  { code: '91', meaning: 'Beneficiary bank not available', outcome: 'failed_confirm' },
  { code: '92', meaning: 'Routing error', outcome: 'failed_confirm' },
  { code: '94', meaning: 'Duplicate transaction', outcome: 'unknown' },
  { code: '96', meaning: 'System malfunction', outcome: 'unknown' },
  // The destination may have credited before the answer was lost.
  { code: '97', meaning: 'Timeout waiting for response from destination', outcome: 'unknown' },
  { code: '98', meaning: 'Transaction exists', outcome: 'unknown' },
  { code: '99', meaning: 'Gateway error', outcome: 'unknown' },
  { code: 'A1', meaning: 'Client disabled', outcome: 'failed' },
  { code: 'A4', meaning: 'Empty value', outcome: 'failed' },
  { code: 'A5', meaning: 'Invalid value', outcome: 'failed' },
  { code: 'A9', meaning: 'Unable to process, try again', outcome: 'unknown' },
];

const BY_CODE = new Map(NIP_RESPONSE_CODES.map((row) => [row.code, row]));

/**
 * What a response code says about the money. A missing code (no answer, or one that could not be read) and a code
 * that nobody published are `unknown`: the money stays where it is until the outcome is known.
 */
export function outcomeOfNipCode(code: string | null): NipOutcome {
  return (code === null ? undefined : BY_CODE.get(code)?.outcome) ?? 'unknown';
}

/** The published words for a response code, or null for one that nobody published. */
export function meaningOfNipCode(code: string): string | null {
  return BY_CODE.get(code)?.meaning ?? null;
}
