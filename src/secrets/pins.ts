/**
 * How wallet PINs are stored and checked: as argon2id over an HMAC under a pepper. The pepper is not in the
 * database. Without it, somebody who has stolen the database cannot try the ten thousand possible PINs (D75, G23).
 */
import { createHash, createHmac } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { StoredPin } from '../domain/pins';
import { createTurns } from '../runtime/turns';

/** With 19 MiB and two passes, one check takes tens of milliseconds. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** One check fills a core. With more at once, nothing else in the process would get time. */
const AT_ONCE = 2;
/** If more checks waited, the last one would wait longer than a USSD gateway does. */
const WAITING_MAX = 60;

export interface Pins {
  hash(walletId: string, pin: string): Promise<StoredPin>;
  /**
   * Runs `work` when fewer than two checks are under way, so that a guess is counted only if it will be checked.
   * @throws UnavailableError when too many wait.
   */
  inTurn<T>(work: (check: PinCheck) => Promise<T>): Promise<T>;
}

/**
 * True for the right PIN. A PIN that was stored under another pepper cannot be checked, so the answer is false.
 */
export type PinCheck = (walletId: string, pin: string, stored: StoredPin) => Promise<boolean>;

export function createPins(pepperBase64: string): Pins {
  const pepper = Buffer.from(pepperBase64, 'base64');
  const pepperKid = pepperKidOf(pepperBase64);
  // It is text, because the library takes a password in UTF-8 only.
  const peppered = (walletId: string, pin: string): string =>
    createHmac('sha256', pepper).update(`${walletId}|${pin}`).digest('base64');
  const check: PinCheck = async (walletId, pin, stored) =>
    stored.pepperKid === pepperKid && (await verify(stored.hash, peppered(walletId, pin)));
  const turns = createTurns(AT_ONCE, { waitingMax: WAITING_MAX, message: 'too many PIN checks at once' });
  return {
    hash: async (walletId, pin) => ({
      hash: await turns(() => hash(peppered(walletId, pin), COST)),
      pepperKid,
    }),
    inTurn: (work) => turns(() => work(check)),
  };
}

/** The name under which PINs of this pepper are stored. */
export const pepperKidOf = (pepperBase64: string): string =>
  createHash('sha256').update(pepperBase64).digest('base64url').slice(0, 8);
