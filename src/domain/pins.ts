/** The rules of wallet PINs: how many guesses there are, and which PINs nobody may choose in live (D74, D75). */

/** Per USSD session (interface: Limits). */
export const PIN_ATTEMPTS_MAX = 3;
/**
 * How many wrong guesses in a row, over all sessions, lock the PIN of a wallet. Without this limit every new
 * session would allow three more.
 */
export const PIN_WRONG_IN_A_ROW_MAX = 9;

/** ASCII digits only: other scripts have digits too. */
export const isPin = (text: string): boolean => /^[0-9]{4}$/.test(text);

/** A PIN as it is stored. */
export interface StoredPin {
  hash: string;
  /** Names the pepper with which the hash was made. */
  pepperKid: string;
}

/** The PIN that sandbox wallets have until another is set: it is published, so it is no secret (D74). */
export const SANDBOX_PIN = '1234';

const ASCENDING = '0123456789';
const DESCENDING = '9876543210';

/** Four equal digits, or four digits in a row, upwards or downwards: a thief tries these first. */
export const isEasyToGuess = (pin: string): boolean =>
  /^(.)\1{3}$/.test(pin) || ASCENDING.includes(pin) || DESCENDING.includes(pin);

/** The outcomes of a PIN attempt. Each is a trigger of the session's state machine. */
export type PinOutcome = 'pin_accepted' | 'pin_rejected' | 'pin_exhausted' | 'pin_locked';

/**
 * @param number of the attempt in its session, from 1.
 * @param wrongInARow of the wallet, this attempt included.
 */
export function outcomeOf(attempt: { right: boolean; number: number; wrongInARow: number }): PinOutcome {
  if (attempt.right) return 'pin_accepted';
  if (attempt.number >= PIN_ATTEMPTS_MAX) return 'pin_exhausted';
  return attempt.wrongInARow >= PIN_WRONG_IN_A_ROW_MAX ? 'pin_locked' : 'pin_rejected';
}
