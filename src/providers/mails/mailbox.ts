/** Hands mails to an SMTP server. */
import type { createTransport as CreateTransport } from 'nodemailer';
import type { WrittenMail } from '../../domain/mails';

export interface Mailbox {
  /**
   * Hands a mail over. A second call hands it over again, under the same Message-ID.
   * @returns `sent`, or `refused` where the server will not take this mail on any later day.
   * @throws where the server is away, busy, or does not let us in.
   */
  send(mail: WrittenMail): Promise<'sent' | 'refused'>;
  close(): void;
}

/** Below the time for which a mail is claimed, all together. */
const CONNECT_WITHIN_MS = 10_000;
const SILENCE_MAX_MS = 20_000;

/**
 * @param settings `url` is `smtp://` or `smtps://`, with user and password; `from` is the address of the sender;
 * `needsTls` refuses a server that offers no TLS, so that tokens never cross a network in the clear.
 */
export function createMailbox(settings: { url: string; from: string; needsTls: boolean }): Mailbox {
  // It is loaded here and not above, because a worker without an SMTP server hands no mail over.
  // oxlint-disable-next-line typescript/no-require-imports
  const { createTransport } = require('nodemailer') as { createTransport: typeof CreateTransport };
  const { hostname, port, protocol, username, password } = new URL(settings.url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: settings.needsTls,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENCE_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, recipient, subject, text, html }) {
      try {
        await transport.sendMail({
          from: settings.from,
          // The envelope is given, so that no text can be read as a list of addresses.
          envelope: { from: settings.from, to: [recipient] },
          to: { name: '', address: recipient },
          messageId: `<${id}@${settings.from.split('@')[1] ?? 'localhost'}>`,
          subject,
          text,
          html,
        });
        return 'sent';
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        throw withoutText(error);
      }
    },
    close: () => transport.close(),
  };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
}

/** Where in the conversation the server may refuse this one mail: its addresses, or its text. */
const OF_THIS_MAIL = ['EENVELOPE', 'EMESSAGE'];
/** The server asks us to sign in first, which is wrong with the configuration and not with this mail. */
const SIGN_IN_FIRST = 530;

function isRefusal(error: unknown): boolean {
  const { code = '', responseCode = 0 } = error as SmtpError;
  return OF_THIS_MAIL.includes(code) && responseCode >= 500 && responseCode !== SIGN_IN_FIRST;
}

/** A server may repeat parts of the mail in its answer, so only codes are passed on. */
function withoutText(error: unknown): Error {
  const { code = 'unknown', responseCode } = error as SmtpError;
  const answer = responseCode === undefined ? '' : ` after the answer ${String(responseCode)}`;
  return new Error(`the SMTP server did not take the mail: ${code}${answer}`);
}
