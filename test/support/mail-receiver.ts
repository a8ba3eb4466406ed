/** A real SMTP server that keeps the mails it gets, for tests of what is mailed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { until } from './until';

export interface ReceivedMail {
  to: string[];
  subject: string;
  messageId: string;
  /** The whole mail, with its texts decoded. */
  source: string;
}

export interface MailReceiver {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** What the next mails are answered with instead of being taken: a code of SMTP. 0 takes them. */
  refuseWith(code: number): void;
  /** Waits for a mail to this address that `fits`. */
  mailTo(address: string, fits?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Who trusts this certificate reaches a receiver with TLS. */
export const MAIL_CERTIFICATE = join(__dirname, '../certificates/localhost.pem');

/** @param hasTls it takes mails after STARTTLS, as a mail server elsewhere does it. */
export async function openMailReceiver(hasTls = false): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  let code = 0;
  const server = new SMTPServer({
    authOptional: true,
    ...(hasTls
      ? {
          cert: readFileSync(MAIL_CERTIFICATE),
          key: readFileSync(MAIL_CERTIFICATE.replace(/pem$/, 'key')),
        }
      : { disabledCommands: ['STARTTLS'] }),
    onRcptTo(_address, _session, answer) {
      answer(code === 0 ? null : Object.assign(new Error('not taken'), { responseCode: code }));
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = readable(Buffer.concat(chunks).toString('latin1'));
        const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(source)?.[1]?.trim() ?? '';
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          subject: header('Subject'),
          messageId: header('Message-ID'),
          source,
        });
        answer();
      });
    },
  });
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      resolve((listening.address() as { port: number }).port);
    });
  });
  return {
    url: `smtp://${hasTls ? 'localhost' : '127.0.0.1'}:${String(port)}`,
    received,
    refuseWith(next) {
      code = next;
    },
    mailTo: (address, fits = () => true) =>
      until(`a mail to ${address}`, () => received.find((mail) => mail.to.includes(address) && fits(mail))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Quoted-printable as it is meant: the texts of our mails have no characters beyond ASCII. */
const readable = (mail: string): string =>
  mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The one-use token that a mail shows. */
export function tokenIn({ source }: ReceivedMail): string {
  const token = /^ {4}([A-Za-z0-9_-]{43})\r?$/m.exec(source)?.[1];
  if (token === undefined) throw new Error('the mail shows no token');
  return token;
}
