/** The rules of wallet PINs: how many guesses there are, and which PINs nobody may choose in live (D74, D75). */

import { textIn, type Metadata } from './wallets';

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

/** The oldest owner of a wallet was born later. */
const BORN_AFTER = 1899;
const NAMES_OF_BIRTHDAY = ['date_of_birth', 'birth_date', 'birthday', 'dob'];

/** What a thief tries first, each for its reason. */
const EASY: readonly ((pin: string, now: Date) => boolean)[] = [
  function sameDigits(pin) {
    return /^(.)\1{3}$/.test(pin);
  },
  function samePair(pin) {
    return /^(..)\1$/.test(pin);
  },
  function inARow(pin) {
    return ASCENDING.includes(pin) || DESCENDING.includes(pin);
  },
  function yearOfBirth(pin, now) {
    return Number(pin) > BORN_AFTER && Number(pin) <= now.getUTCFullYear();
  },
];

/** Whether a PIN is one of the first that a thief tries, whoever its owner is. Whose year of birth it is nobody asks. */
export const isEasyToGuess = (pin: string, now = new Date()): boolean => EASY.some((rule) => rule(pin, now));

/**
 * Whether a PIN is the birthday of the owner, as day and month or month and day, where the metadata of the wallet tells it.
 * A year of birth is easy to guess for everybody.
 */
export const isBirthdayIn = (metadata: Metadata, pin: string): boolean =>
  NAMES_OF_BIRTHDAY.some((name) => {
    const written = textIn(metadata, name);
    const [, month, day] = /^[0-9]{4}-([0-9]{2})-([0-9]{2})/.exec(written) ?? [];
    const [, first, second] = /^([0-9]{2})[/.-]([0-9]{2})[/.-][0-9]{4}$/.exec(written) ?? [];
    const [one = '', other = ''] = [month ?? first, day ?? second];
    return one !== '' && (pin === one + other || pin === other + one);
  });

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
