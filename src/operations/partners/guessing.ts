/**
 * The defence against guessing: every attempt with a password is counted for the account and for the network of
 * the caller before it is checked, so a refused one costs neither memory nor a hash.
 */
import { hash } from 'node:crypto';
import {
  forgetAttempts,
  giveAttemptBack,
  isKnownNetwork,
  takeAttempt,
} from '../../db/partners/sign-in-attempts';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { ATTEMPT_RULES } from '../../domain/sign-in-attempts';
import { findUser, foldEmail } from '../../db/partners/users';
import type { Queryable } from '../../db/pg/postgres';
import type { TurnOf } from '../../runtime/turns';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';

/** Where a call comes from. */
export interface From {
  /** As the trusted proxies tell it. */
  address: string;
  /** The network that counts as one caller: an address, or the /64 of an IPv6 address. */
  network: string;
}

/** The 16 bytes that stand for a text, so that neither addresses nor emails are kept. */
export const idOf = (kind: string, text: string): Buffer =>
  hash('sha256', `${kind}\n${text}`, 'buffer').subarray(0, 16);

/** What is kept of a network with a session that began there. */
export const networkHash = ({ network }: From): Buffer => idOf('network', network);

/** Whose turn it is to have a password hashed for somebody who has not signed in. */
export const strangerAt = ({ network }: From): TurnOf => ({ name: network, isKnown: false });

/** An attempt that may be checked now. */
export interface Attempt {
  /** Whose turn its check is: a network from which the user has signed in lately comes first. */
  turn: TurnOf;
  /** The proof was right: the account's wrong attempts are forgotten. Those of the network are not. */
  wasRight(): Promise<void>;
  /** Nothing was guessed, so the attempt does not count. */
  wasNoGuess(): Promise<void>;
}

/** @param deps `afterwards` does what must not show in how long an answer takes. */
export interface GuessingDeps extends SecurityDeps {
  afterwards: (work: () => Promise<void>) => void;
}

/**
 * Counts an attempt on the account of an email, whether or not there is one. A network from which the user signed
 * in lately counts by itself, so that strangers who guess cannot keep the user out. The first refusal of each wait
 * is a security event of the account.
 * @returns the attempt, or RATE_LIMIT_EXCEEDED while the account or the network has to wait.
 */
export async function guessing(deps: GuessingDeps, email: string, from: From): Promise<Outcome<Attempt>> {
  const { access } = deps;
  const network = networkHash(from);
  const isKnown = await isKnownNetwork(access, foldEmail(email), network);
  const account = isKnown ? accountAt(email, from) : accountOf(email);
  const wait = await takeAttempt(access, [
    { who: account, rule: ATTEMPT_RULES.account },
    { who: network, rule: ATTEMPT_RULES.network },
  ]);
  if (wait) {
    if (wait.untold.some((who) => who.equals(account))) deps.afterwards(() => tellOf(deps, email, from));
    return refuse('RATE_LIMIT_EXCEEDED', {
      message: 'There were too many wrong attempts to sign in',
      retryAfterSeconds: Math.max(1, Math.ceil(wait.waitMs / 1_000)),
    });
  }
  return done({
    turn: { name: from.network, isKnown },
    async wasRight() {
      await giveAttemptBack(access, [network]);
      await forgetAttempts(access, [account]);
    },
    wasNoGuess: () => giveAttemptBack(access, [account, network]),
  });
}

/** Forgets the wrong attempts on an account, everywhere and at the network of the caller. */
export const forgetGuesses = (db: Queryable, email: string, from: From): Promise<void> =>
  forgetAttempts(db, [accountOf(email), accountAt(email, from)]);

const accountOf = (email: string): Buffer => idOf('account', foldEmail(email));
const accountAt = (email: string, { network }: From): Buffer =>
  idOf('account', `${foldEmail(email)}\n${network}`);

async function tellOf(deps: SecurityDeps, email: string, { address }: From): Promise<void> {
  const user = await findUser(deps.access, email);
  if (!user) return;
  await withSecurityEvents(deps, (_trx, record) => record(eventOf(user, 'session.refused', address)));
}
