/**
 * How wallet PINs are stored and checked: as argon2id over an HMAC under a pepper. The pepper is not in the
 * database. Without it, somebody who has stolen the database cannot try the ten thousand possible PINs (D75, G23).
 */
import { createHmac } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { StoredPin } from '../domain/pins';
import { createFairTurns, type TurnOf } from '../runtime/turns';
import { UnavailableError } from '../runtime/unavailable';
import { keyId } from './key-id';

/** With 19 MiB and two passes, one check takes tens of milliseconds. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** One check fills a core. With more at once, nothing else in the process would get time. */
const AT_ONCE = 2;
/**
 * If more checks waited, the last one would wait longer than a USSD gateway does. Each partner has a queue of its own, so that
 * the checks of one keep no other's from their turn (R1).
 */
const WAITING_MAX = 60;

export interface Pins {
  /** @throws UnavailableError when too many of this partner wait. */
  hash(partnerId: string, walletId: string, pin: string): Promise<StoredPin>;
  /**
   * Runs `work` when fewer than two checks are under way, so that a guess is counted only if it will be checked.
   * @throws UnavailableError when too many of this partner wait.
   */
  inTurn<T>(partnerId: string, work: (check: PinCheck) => Promise<T>): Promise<T>;
}

/** The verdict on a PIN that was entered. */
export interface CheckedPin {
  right: boolean;
  /** The right PIN under the newest pepper, where it is still stored under an earlier one; else null. */
  renewed: StoredPin | null;
}

/**
 * @throws UnavailableError for a PIN under a pepper that is not known here: it is neither right nor wrong. The
 *   configuration of this process lacks a pepper that is still needed.
 */
export type PinCheck = (walletId: string, pin: string, stored: StoredPin) => Promise<CheckedPin>;

/**
 * @param newest the pepper under which PINs are stored: 32 bytes in base64.
 * @param accepted further peppers, under which PINs are only checked: the next one, and the earlier ones.
 */
export function createPins(newest: string, accepted: readonly string[] = []): Pins {
  const peppers = new Map([newest, ...accepted].map((pepper) => [pepperKidOf(pepper), pepper]));
  const newestKid = pepperKidOf(newest);
  // It is text, because the library takes a password in UTF-8 only.
  const peppered = (pepper: string, walletId: string, pin: string): string =>
    createHmac('sha256', Buffer.from(pepper, 'base64')).update(`${walletId}|${pin}`).digest('base64');
  const store = async (walletId: string, pin: string): Promise<StoredPin> => ({
    hash: await hash(peppered(newest, walletId, pin), COST),
    pepperKid: newestKid,
  });
  const check: PinCheck = async (walletId, pin, stored) => {
    const pepper = peppers.get(stored.pepperKid);
    if (pepper === undefined)
      throw new UnavailableError('a PIN is stored under a pepper that is not known here');
    const right = await verify(stored.hash, peppered(pepper, walletId, pin));
    const renewed = right && stored.pepperKid !== newestKid ? await store(walletId, pin) : null;
    return { right, renewed };
  };
  const turns = createFairTurns(AT_ONCE, {
    waitingMax: WAITING_MAX,
    message: 'too many PIN checks at once',
  });
  const of = (partnerId: string): TurnOf => ({ name: partnerId, isKnown: true });
  return {
    hash: (partnerId, walletId, pin) => turns(of(partnerId), () => store(walletId, pin)),
    inTurn: (partnerId, work) => turns(of(partnerId), () => work(check)),
  };
}

/** The name under which PINs of this pepper are stored. */
const pepperKidOf = (pepperBase64: string): string => keyId(Buffer.from(pepperBase64, 'base64'));
