/**
 * The defence against guessing: every attempt with a password is counted for the account and for the network of
 * the caller before it is checked, so a refused one costs neither memory nor a hash.
 */
import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import {
  forgetAttempts,
  giveAttemptBack,
  isKnownNetwork,
  takeAttempt,
} from '../../db/partners/sign-in-attempts';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { ATTEMPT_RULES } from '../../domain/sign-in-attempts';

/** Where a call comes from. */
export interface From {
  /** As the trusted proxies tell it. */
  address: string;
  /** The network that counts as one caller: an address, or the /64 of an IPv6 address. */
  network: string;
}

/** The 16 bytes that stand for a text, so that neither addresses nor emails are kept. */
const idOf = (kind: string, text: string): Buffer =>
  hash('sha256', `${kind}\n${text}`, 'buffer').subarray(0, 16);

/** What is kept of a network with a session that began there. */
export const networkHash = ({ network }: From): Buffer => idOf('network', network);

/** An attempt that may be checked now. */
export interface Attempt {
  /** The password was right: the account's wrong attempts are forgotten. Those of the network are not. */
  wasRight(): Promise<void>;
}

/**
 * Counts an attempt on the account of an email, whether or not there is one. A network from which the user signed
 * in lately counts by itself, so that strangers who guess cannot keep the user out.
 * @returns the attempt, or RATE_LIMIT_EXCEEDED while the account or the network has to wait.
 */
export async function guessing(access: Pool, email: string, from: From): Promise<Outcome<Attempt>> {
  const network = networkHash(from);
  const folded = email.toLowerCase();
  const isKnown = await isKnownNetwork(access, email, network);
  const account = idOf('account', isKnown ? `${folded}\n${from.network}` : folded);
  const wait = await takeAttempt(access, [
    { who: account, rule: ATTEMPT_RULES.account },
    { who: network, rule: ATTEMPT_RULES.network },
  ]);
  if (wait) {
    return refuse('RATE_LIMIT_EXCEEDED', {
      message: 'There were too many wrong attempts to sign in',
      retryAfterSeconds: Math.max(1, Math.ceil(wait.waitMs / 1_000)),
    });
  }
  return done({
    async wasRight() {
      await giveAttemptBack(access, [network]);
      await forgetAttempts(access, [account]);
    },
  });
}
