/**
 * Mails with a one-use token. The token is made here. Its hash is kept where the token is looked up, and the token
 * itself is sealed until its mail was sent.
 */
import { hash, randomBytes } from 'node:crypto';
import { forgetMailedTokens, keepToken, useToken, type UsedToken } from '../../db/partners/mailed-tokens';
import { queueMail, type MailContent } from '../../db/partners/mail-outbox';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import { TOKEN_MAILS, type TokenMailKind } from '../../domain/mails';
import { mailTokenPlace, type Sealing } from '../../secrets/sealing';

/**
 * Queues a mail with a new token, in the transaction of its reason. An address that has got as many mails of this
 * kind as it may in an hour gets no other: its earlier tokens are still good.
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
  const { goodForMs, perHour, newestOnly } = TOKEN_MAILS[mail.kind];
  const tokenSealed = sealing.seal(token, mailTokenPlace(id));
  const isQueued = await queueMail(db, { ...mail, id, tokenSealed, usefulForMs: goodForMs }, perHour);
  if (!isQueued) return false;
  if (newestOnly && mail.userId !== null) await forgetMailedTokens(db, mail.userId, mail.kind);
  await keepToken(db, { ...mail, tokenHash: hashToken(token), goodForMs });
  return true;
}

/**
 * Uses a token up that somebody got by mail. A second call finds it used.
 * @returns whom it was about, or null if no such token is in force.
 */
export const useMailedToken = (
  db: Queryable,
  kind: TokenMailKind,
  token: string,
): Promise<UsedToken | null> => useToken(db, kind, hashToken(token));

/** A token has so many random bits that a fast hash is enough. */
const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
