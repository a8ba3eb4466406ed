/**
 * Passwords: argon2id with the settings OWASP names (19 MiB, two passes, one lane; D101). Each takes tens of
 * milliseconds of a core, so only a few run at once, and a crowd is sent away instead of being kept waiting.
 */
import { hash, verify } from '@node-rs/argon2';
import { createTurns } from '../runtime/turns';

const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING_MAX = 50;

export interface Passwords {
  /** @throws UnavailableError when too many wait already. */
  hash(password: string): Promise<string>;
  /**
   * @param kept the hash to compare with; null where there is no such user, which takes the same time.
   * @throws UnavailableError when too many wait already.
   */
  matches(password: string, kept: string | null): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const inTurn = createTurns(AT_ONCE, {
    waitingMax: WAITING_MAX,
    message: 'too many passwords are being checked',
  });
  /** Nobody's: it makes an unknown email cost what a wrong password costs. */
  const nobody = hash('', SETTINGS);
  return {
    hash: (password) => inTurn(() => hash(password, SETTINGS)),
    async matches(password, kept) {
      const against = kept ?? (await nobody);
      const same = await inTurn(() => verify(against, password));
      return same && kept !== null;
    },
  };
}
