/**
 * Passwords: argon2id with the settings that OWASP names (19 MiB, two passes, one lane; D101). One check takes
 * tens of milliseconds of a core, so only a few run at once, and when too many wait the next ones are refused at
 * once.
 */
import { hash, verify } from '@node-rs/argon2';
import { passwordForm } from '../domain/plain-text';
import { createTurns } from '../runtime/turns';

const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING_MAX = 50;

export interface Passwords {
  /**
   * What is kept of a password: of its one form, however it was typed.
   * @throws UnavailableError when too many wait already.
   */
  hash(password: string): Promise<string>;
  /**
   * Compares the one form of the password, and then what was typed, of which an older hash may be.
   * @param kept the hash to compare with; null where there is no such user, which takes the same time.
   * @throws UnavailableError when too many wait already.
   */
  matches(password: string, kept: string | null): Promise<boolean>;
}

/**
 * The hash of no user's password, made once in a process. It is checked for an unknown email, so that an unknown email takes
 * as long as a wrong password.
 */
let ofNobody: Promise<string> | undefined;

export function createPasswords(): Passwords {
  const inTurn = createTurns(AT_ONCE, {
    waitingMax: WAITING_MAX,
    message: 'too many passwords are being checked',
  });
  const nobody = (ofNobody ??= hash('', SETTINGS));
  return {
    hash: (password) => inTurn(() => hash(passwordForm(password), SETTINGS)),
    async matches(password, kept) {
      const against = kept ?? (await nobody);
      const form = passwordForm(password);
      const same = await inTurn(
        async () => (await verify(against, form)) || (form !== password && (await verify(against, password))),
      );
      return same && kept !== null;
    },
  };
}
