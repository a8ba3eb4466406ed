/**
 * Mails with a one-use token: to confirm an address, to reset a password, to accept an invitation. The token is
 * made here, its hash is kept by the caller, and the token itself is sealed until its mail was sent.
 */
import { hash, randomBytes } from 'node:crypto';
import { queueMail } from '../../db/partners/mail-outbox';
import { newId } from '../../db/pg/ids';
import type { Queryable } from '../../db/pg/postgres';
import { TOKEN_GOOD_FOR_MS, type TokenMailKind } from '../../domain/mails';
import { mailTokenPlace, type Sealing } from '../../secrets/sealing';

/** A new one-use token: 256 random bits. Only its hash is kept where it is looked up. */
export function newOneUseToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashOneUseToken(token) };
}

/** What is kept of a one-use token: so many random bits need no slow hash. */
export const hashOneUseToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * Queues a mail with a token, in the transaction that keeps the token's hash. The mail is not sent any more once
 * the token is no longer good.
 * @param mail `content` holds what the template of the kind shows; no secret is among it.
 */
export async function queueTokenMail(
  db: Queryable,
  sealing: Sealing,
  mail: {
    partnerId: string;
    kind: TokenMailKind;
    recipient: string;
    token: string;
    content: Record<string, string>;
  },
): Promise<void> {
  const { token, ...rest } = mail;
  const id = newId();
  await queueMail(db, {
    ...rest,
    id,
    tokenSealed: sealing.seal(token, mailTokenPlace(id)),
    usefulForMs: TOKEN_GOOD_FOR_MS[mail.kind],
  });
}
