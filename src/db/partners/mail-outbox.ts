/**
 * Mails that wait to be sent. A mail is queued in the transaction of its reason. The sender claims one mail at a
 * time, under a role that sees nothing else.
 */
import type { MailKind } from '../../domain/mails';
import type { Queryable } from '../pg/postgres';

/** The values that the template of a kind shows. No secret is among them. */
export type MailContent = Readonly<Record<string, unknown>>;

export interface QueuedMail {
  id: string;
  partnerId: string;
  kind: MailKind;
  recipient: string;
  content: MailContent;
  /** The one-use token of the mail, sealed for this mail; null where it has none. */
  tokenSealed: string | null;
  /** How long the mail is of use. */
  usefulForMs: number;
}

/** How many mails of these kinds may be queued in an hour. */
interface MailsPerHour {
  kinds: readonly MailKind[];
  perHour: number;
}

/**
 * Queues a mail, unless the address has got as many of these kinds in the last hour as it may, whoever had them sent, or
 * the partner has had as many sent as it may. Calls for one address, and for one partner with a limit, wait for each
 * other, so that many at once cannot pass a limit together. A second call with the same id violates the primary key.
 * @param db a transaction.
 * @param ofPartner null where the partner has no limit of its own.
 * @returns whether the mail was queued.
 */
export async function queueMail(
  db: Queryable,
  mail: QueuedMail,
  ofAddress: MailsPerHour,
  ofPartner: { kinds: readonly MailKind[]; perHour: { proved: number; unproved: number } } | null,
): Promise<boolean> {
  if (ofPartner) {
    await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('mails of ' || $1, 0))`, [mail.partnerId]);
  }
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('mail to ' || $1, 0))`, [mail.recipient]);
  const { rowCount } = await db.query(
    `INSERT INTO platform.mail_outbox (id, partner_id, kind, recipient, content, token_sealed, useful_until)
     SELECT $1, $2, $3, $4, $5, $6, now() + $7 * interval '1 millisecond'
      WHERE $9 > (SELECT count(*) FROM platform.mail_outbox
                   WHERE recipient = $4 AND kind = ANY ($8) AND created_at > now() - interval '1 hour')
        AND ($10::text[] IS NULL OR
             (SELECT CASE WHEN email_confirmed_at IS NULL THEN $11::bigint ELSE $12::bigint END
                FROM platform.partners WHERE id = $2) >
             (SELECT count(*) FROM platform.mail_outbox
               WHERE partner_id = $2 AND kind = ANY ($10) AND created_at > now() - interval '1 hour'))`,
    [
      mail.id,
      mail.partnerId,
      mail.kind,
      mail.recipient,
      JSON.stringify(mail.content),
      mail.tokenSealed,
      mail.usefulForMs,
      ofAddress.kinds,
      ofAddress.perHour,
      ofPartner?.kinds ?? null,
      ofPartner?.perHour.unproved ?? 0,
      ofPartner?.perHour.proved ?? 0,
    ],
  );
  return rowCount === 1;
}

/** A mail that this process may send now. */
export interface ClaimedMail {
  id: string;
  kind: MailKind;
  recipient: string;
  content: MailContent;
  tokenSealed: string | null;
  usefulUntil: Date | null;
  isLate: boolean;
  /** Which attempt this is: 1 for the first. */
  attempt: number;
}

interface MailRow {
  id: string;
  kind: MailKind;
  recipient: string;
  content: MailContent;
  token_sealed: string | null;
  useful_until: Date | null;
  is_late: boolean;
  attempts: number;
}

/**
 * Claims the mail that has waited longest, or gives null. Another process does not get it for `forMs`; after that
 * time it is taken for lost with the process that claimed it, and it may then go out a second time.
 */
export async function claimMail(db: Queryable, forMs: number): Promise<ClaimedMail | null> {
  const { rows } = await db.query<MailRow>(
    `UPDATE platform.mail_outbox SET attempts = attempts + 1, due_at = now() + $1 * interval '1 millisecond'
      WHERE id = (SELECT id FROM platform.mail_outbox
                   WHERE due_at <= now() AND sent_at IS NULL AND given_up_at IS NULL
                   ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, kind, recipient, content, token_sealed, useful_until, attempts,
               coalesce(useful_until <= now(), false) AS is_late`,
    [forMs],
  );
  const row = rows[0];
  return row
    ? {
        id: row.id,
        kind: row.kind,
        recipient: row.recipient,
        content: row.content,
        tokenSealed: row.token_sealed,
        usefulUntil: row.useful_until,
        isLate: row.is_late,
        attempt: row.attempts,
      }
    : null;
}

/** Ends a mail and forgets its token. A second call changes nothing. */
export async function endMail(db: Queryable, id: string, how: 'sent' | 'given_up'): Promise<void> {
  await db.query(
    `UPDATE platform.mail_outbox
        SET ${how}_at = now(), token_sealed = NULL
      WHERE id = $1 AND sent_at IS NULL AND given_up_at IS NULL`,
    [id],
  );
}

/** Puts a mail off. A second call puts it off from then. */
export async function putOffMail(db: Queryable, id: string, forMs: number): Promise<void> {
  await db.query(
    `UPDATE platform.mail_outbox SET due_at = now() + $2 * interval '1 millisecond'
      WHERE id = $1 AND sent_at IS NULL AND given_up_at IS NULL`,
    [id, forMs],
  );
}

/** Deletes the mails that ended longer ago, and the hashes of tokens that have expired. It may run at any time. */
export async function forgetOldMails(db: Queryable, olderThanMs: number): Promise<void> {
  await db.query(
    `DELETE FROM platform.mail_outbox
      WHERE coalesce(sent_at, given_up_at) < now() - $1 * interval '1 millisecond'`,
    [olderThanMs],
  );
  await db.query(`DELETE FROM platform.mailed_tokens WHERE expires_at < now()`);
}
