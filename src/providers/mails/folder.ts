/** Keeps mails as files in a folder, for a sandbox on one machine that has no SMTP server. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WrittenMail } from '../../domain/mails';
import type { Mailbox } from './mailbox';

const ENDING = '.txt';

/**
 * A mailbox that writes each mail as `<time>-<id>.txt`, which only the account of the process may read. A mail that is
 * handed over a second time is a second file.
 */
export function createMailFolder(folder: string): Mailbox {
  return {
    send(mail) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${mail.id}`);
      // A reader never sees half a mail.
      writeFileSync(file, textOf(mail), { mode: 0o600 });
      renameSync(file, `${file}${ENDING}`);
      return Promise.resolve('sent');
    },
    close: () => undefined,
  };
}

/** The newest mails of the folder, the newest first. There need not be such a folder yet. */
export function readMailFolder(folder: string, max: number): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .reverse()
    .slice(0, max)
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

const textOf = ({ recipient, subject, text }: WrittenMail): string =>
  `To: ${recipient}\nSubject: ${subject}\nDate: ${new Date().toUTCString()}\n\n${text}`;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
