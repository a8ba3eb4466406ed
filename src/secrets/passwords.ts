/**
 * Passwords: argon2id with the settings that OWASP names (19 MiB, two passes, one lane; D101). One check takes
 * tens of milliseconds of a core, so only a few run at once. Each network of callers has a queue of its own, and those from
 * which the user has signed in before come first, so that guesses of one network keep nobody else from signing in.
 */
import { hash, verify } from '@node-rs/argon2';
import { passwordForm } from '../domain/plain-text';
import { createFairTurns, type TurnOf } from '../runtime/turns';

const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING_MAX = 50;

export interface Passwords {
  /**
   * What is kept of a password: of its one form, however it was typed.
   * @param caller the network of the caller.
   * @throws UnavailableError when too many of this network wait already.
   */
  hash(password: string, caller?: TurnOf): Promise<string>;
  /**
   * Compares the one form of the password, and then what was typed, of which an older hash may be.
   * @param kept the hash to compare with; null where there is no such user, which takes the same time.
   * @param caller the network of the caller, and whether the user has signed in from it before.
   * @throws UnavailableError when too many of this network wait already.
   */
  matches(password: string, kept: string | null, caller?: TurnOf): Promise<boolean>;
}

/** All whose network is not told share one queue. */
const SOMEBODY: TurnOf = { name: '', isKnown: false };

/**
 * The hash of no user's password, made once in a process. It is checked for an unknown email, so that an unknown email takes
 * as long as a wrong password.
 */
let ofNobody: Promise<string> | undefined;

export function createPasswords(): Passwords {
  const inTurn = createFairTurns(AT_ONCE, {
    waitingMax: WAITING_MAX,
    message: 'too many passwords are being checked',
  });
  const nobody = (ofNobody ??= hash('', SETTINGS));
  return {
    hash: (password, caller = SOMEBODY) => inTurn(caller, () => hash(passwordForm(password), SETTINGS)),
    async matches(password, kept, caller = SOMEBODY) {
      const against = kept ?? (await nobody);
      const form = passwordForm(password);
      const same = await inTurn(
        caller,
        async () => (await verify(against, form)) || (form !== password && (await verify(against, password))),
      );
      return same && kept !== null;
    },
  };
}
