/** Mails that wait to be sent. A mail is queued in the transaction of its reason. */
import type { Queryable } from '../pg/postgres';
import type { MailKind } from '../../domain/mails';

export interface QueuedMail {
  id: string;
  partnerId: string;
  kind: MailKind;
  recipient: string;
  /** What the template of the kind shows. No secret is among it. */
  content: Record<string, string>;
  /** The one-use token of the mail, sealed for this mail; null for a mail without one. */
  tokenSealed: string | null;
  /** How long the mail is of use; null for ever. */
  usefulForMs: number | null;
}

/** Queues a mail. A second call with the same id violates the primary key. */
export async function queueMail(db: Queryable, mail: QueuedMail): Promise<void> {
  await db.query(
    `INSERT INTO platform.mail_outbox (id, partner_id, kind, recipient, content, token_sealed, useful_until)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 millisecond')`,
    [
      mail.id,
      mail.partnerId,
      mail.kind,
      mail.recipient,
      JSON.stringify(mail.content),
      mail.tokenSealed,
      mail.usefulForMs,
    ],
  );
}

/** How many mails of this kind were queued for this address within the last milliseconds. */
export async function findMailsSince(
  db: Queryable,
  asked: { recipient: string; kind: MailKind; withinMs: number },
): Promise<number> {
  const { rows } = await db.query<{ mails: number }>(
    `SELECT count(*) AS mails FROM platform.mail_outbox
      WHERE recipient = $1 AND kind = $2 AND created_at > now() - $3 * interval '1 millisecond'`,
    [asked.recipient, asked.kind, asked.withinMs],
  );
  return rows[0]?.mails ?? 0;
}
