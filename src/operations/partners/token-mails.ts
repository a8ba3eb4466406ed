/**
 * Mails with a one-use token. The token is made here. Its hash is kept where the token is looked up, and the token
 * itself is sealed until its mail was sent. And the mails to the owner of an address that somebody else has named.
 */
import { hash, randomBytes } from 'node:crypto';
import {
  findToken,
  forgetMailedTokens,
  keepToken,
  useToken,
  type UsedToken,
} from '../../db/partners/mailed-tokens';
import { queueMail, type MailContent } from '../../db/partners/mail-outbox';
import { lockPeople } from '../../db/partners/people';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import {
  countedWith,
  KNOWN_ADDRESS_MAILS,
  MAILS_TO_NAMED,
  NAMED_PER_HOUR,
  TOKEN_MAILS,
  type KnownAddressMailKind,
  type TokenMailKind,
} from '../../domain/mails';
import { mailTokenPlace, type Sealing } from '../../secrets/sealing';

/** The limit of a partner on mails of this kind, or null where the kind has none. */
const limitOfPartner = (kind: TokenMailKind) =>
  MAILS_TO_NAMED.includes(kind) ? { kinds: MAILS_TO_NAMED, perHour: NAMED_PER_HOUR } : null;

const limitOfAddress = (kind: TokenMailKind) => ({
  kinds: countedWith(kind),
  perHour: TOKEN_MAILS[kind].perHour,
});

/**
 * Queues a mail with a new token, in the transaction of its reason. An address that has got as many mails of this
 * kind as it may in an hour gets no other: its earlier tokens are still good. Nor does one that a partner names after it
 * has had as many mails sent as it may.
 * @param mail `recipient` is in lower case; `content` holds what the template of the kind shows, and no secret.
 * @returns whether the mail was queued.
 */
export async function mailToken(
  db: Queryable,
  sealing: Sealing,
  mail: {
    kind: TokenMailKind;
    partnerId: string;
    /** Null for somebody who is not a user yet. */
    userId: string | null;
    recipient: string;
    content: MailContent;
  },
): Promise<boolean> {
  const token = randomBytes(32).toString('base64url');
  const id = newId();
  const { goodForMs, newestOnly } = TOKEN_MAILS[mail.kind];
  const tokenSealed = sealing.seal(token, mailTokenPlace(id));
  const isQueued = await queueMail(
    db,
    { ...mail, id, tokenSealed, usefulForMs: goodForMs },
    limitOfAddress(mail.kind),
    limitOfPartner(mail.kind),
  );
  if (!isQueued) return false;
  if (newestOnly && mail.userId !== null) await forgetMailedTokens(db, mail.userId, mail.kind);
  await keepToken(db, { ...mail, tokenHash: hashToken(token), goodForMs });
  return true;
}

/**
 * Queues the mail that tells the owner of an address what somebody else has asked for, in place of the mail that a free
 * address gets. It counts with that mail, for the address and for the partner.
 * @param mail the partner is that whose limit it counts for.
 * @returns whether the mail was queued.
 */
export function mailKnownAddress(
  db: Queryable,
  mail: { kind: KnownAddressMailKind; partnerId: string; recipient: string },
): Promise<boolean> {
  const inPlaceOf = KNOWN_ADDRESS_MAILS[mail.kind];
  const { goodForMs } = TOKEN_MAILS[inPlaceOf];
  return queueMail(
    db,
    { ...mail, id: newId(), content: {}, tokenSealed: null, usefulForMs: goodForMs },
    limitOfAddress(inPlaceOf),
    limitOfPartner(inPlaceOf),
  );
}

/**
 * Uses a token up that somebody got by mail. A second call finds it used. Changes of the partner's people wait for each
 * other from here on.
 * @param db a transaction.
 * @returns whom it was about, or null if no such token is in force.
 */
export async function useMailedToken(
  db: Queryable,
  kind: TokenMailKind,
  token: string,
): Promise<UsedToken | null> {
  const tokenHash = hashToken(token);
  const about = await findToken(db, kind, tokenHash);
  if (!about) return null;
  // The people are locked before the row of the token, as wherever both are: a first proof deletes rows of tokens.
  await lockPeople(db, about.partnerId);
  return useToken(db, kind, tokenHash);
}

/** Whom a token is about, without using it up; null if no such token is in force. */
export const lookAtMailedToken = (
  db: Queryable,
  kind: TokenMailKind,
  token: string,
): Promise<Pick<UsedToken, 'partnerId' | 'userId'> | null> => findToken(db, kind, hashToken(token));

/** A token has so many random bits that a fast hash is enough. */
const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
