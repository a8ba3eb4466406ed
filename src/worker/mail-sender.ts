/**
 * Sends the mails of the outbox. It belongs to the worker process and to no environment. Several processes may send
 * at the same time: each mail is claimed by one of them.
 *
 * A process that ends between the hand-over of a mail and its mark sends the mail a second time, under the same
 * Message-ID. That is harmless: a mail reports what has happened, and its token can be used once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from 'pg';
import { claimMail, endMail, forgetOldMails, putOffMail, type ClaimedMail } from '../db/partners/mail-outbox';
import { openPool } from '../db/pg/postgres';
import type { Metrics } from '../monitoring/metrics';
import { createMailFolder } from '../providers/mails/folder';
import { createMailbox, type Mailbox } from '../providers/mails/mailbox';
import type { WorkerConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import { poolSize } from '../runtime/logins';
import { mailTokenPlace, type Sealing } from '../secrets/sealing';
import { writeMail } from '../wire/mails';

export interface MailSender {
  /** Lets the mail that is on its way finish. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const TIDY_EVERY_MS = 3_600_000;
/** A mail that was claimed so long ago was lost with its process. It is more than a hand-over can take. */
const CLAIM_MS = 120_000;

/**
 * Starts the sender. Without an SMTP server, which production must have, mails are kept in a folder, or wait.
 * @param sealing of the key under which tokens are sealed, which is that of live.
 */
export function startMailSender(
  config: WorkerConfig,
  sealing: Sealing,
  logger: Logger,
  metrics: Metrics,
): MailSender {
  const mailbox = mailboxOf(config);
  if (!mailbox) {
    logger.warn('Mails wait in the outbox, because SMTP_URL and MAIL_FROM are not set');
    return { stop: () => Promise.resolve() };
  }
  const db = openPool(
    databaseUrl(config, 'mail'),
    poolSize('mail', config),
    config.DATABASE_CONNECT_MS,
    (error) =>
      logger.warn(
        { err: error },
        'A connection to Postgres for mails broke; the next query opens another one',
      ),
  );
  const sender = { db, mailbox, sealing, config, logger, metrics };
  const stopping = new AbortController();
  const running = run(sender, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
      mailbox.close();
      await db.end();
    },
  };
}

function mailboxOf({ SMTP_URL: url, MAIL_FROM: from, MAIL_FOLDER, NODE_ENV }: WorkerConfig): Mailbox | null {
  if (url === undefined || from === undefined) {
    return MAIL_FOLDER === undefined ? null : createMailFolder(MAIL_FOLDER);
  }
  return createMailbox({ url, from, needsTls: NODE_ENV === 'production' });
}

interface Sender {
  db: Pool;
  mailbox: Mailbox;
  sealing: Sealing;
  config: WorkerConfig;
  logger: Logger;
  metrics: Metrics;
}

async function run(sender: Sender, stop: AbortSignal): Promise<void> {
  const goesOn = (): boolean => !stop.aborted;
  let tidyAt = 0;
  while (goesOn()) {
    try {
      while (goesOn() && (await sendNext(sender)));
      if (performance.now() >= tidyAt) {
        tidyAt = performance.now() + TIDY_EVERY_MS;
        await forgetOldMails(sender.db, sender.config.RETENTION_MS);
      }
    } catch (error) {
      sender.logger.warn({ err: error }, 'The sender of mails could not reach Postgres; it tries again soon');
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Sends the mail that has waited longest. @returns whether there may be more to send now. */
async function sendNext(sender: Sender): Promise<boolean> {
  const { db, mailbox, config, logger, metrics } = sender;
  const mail = await claimMail(db, CLAIM_MS);
  if (!mail) return false;
  const about = { mailId: mail.id, kind: mail.kind, attempt: mail.attempt };
  if (mail.isLate) {
    metrics.mail('late');
    logger.warn(about, 'A mail was given up, because it was of no use any more');
    await endMail(db, mail.id, 'given_up');
    return true;
  }
  try {
    const outcome = await mailbox.send(writeMail(opened(sender, mail), config.PUBLIC_URL));
    metrics.mail(outcome);
    if (outcome === 'refused') {
      logger.warn(about, 'A mail was given up, because the SMTP server refused it for good');
    }
    await endMail(db, mail.id, outcome === 'sent' ? 'sent' : 'given_up');
    return true;
  } catch (error) {
    metrics.mail('failed');
    const waitMs = config.MAIL_RETRY_MS[mail.attempt - 1];
    if (waitMs === undefined) {
      logger.error({ ...about, err: error }, 'A mail was given up after its last attempt');
      await endMail(db, mail.id, 'given_up');
    } else {
      logger.warn({ ...about, err: error, waitMs }, 'A mail could not be sent now; it is sent again later');
      await putOffMail(db, mail.id, waitMs);
    }
    // The server may be away, so the other mails wait until the next look.
    return false;
  }
}

const opened = ({ sealing }: Sender, mail: ClaimedMail) => ({
  ...mail,
  token: mail.tokenSealed === null ? null : sealing.open(mail.tokenSealed, mailTokenPlace(mail.id)),
});
