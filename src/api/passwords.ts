/**
 * Passwords: argon2id with the settings OWASP names (19 MiB, two passes, one lane; D101). Each takes tens of
 * milliseconds of a core, so only a few run at once, and a crowd is sent away instead of being kept waiting.
 */
import { hash, verify } from '@node-rs/argon2';
import { UnavailableError } from '../db/ledger/writer';

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
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < AT_ONCE) running += 1;
    else if (waiting.length >= WAITING_MAX)
      throw new UnavailableError('too many passwords are being checked');
    // Whoever ends hands over its place, so the count stays.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

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
