/**
 * The texts of mails: plain text first, and the same as simple HTML. Nothing that a stranger has typed stands in a
 * mail, because anybody can have a mail with a token sent to any address.
 */
import type { MailKind, WrittenMail } from '../domain/mails';
import { SECURITY_EVENT_KINDS, type SecurityEventKind } from '../domain/security-events';

/** What the text of a mail is made of. */
export interface MailParts {
  id: string;
  kind: MailKind;
  recipient: string;
  content: Readonly<Record<string, unknown>>;
  /** The one-use token, for the kinds that have one. */
  token: string | null;
  usefulUntil: Date | null;
}

/** A paragraph, or lines that are shown as they stand. */
type Block = string | readonly string[];

interface Text {
  subject: string;
  blocks: readonly Block[];
}

const TEMPLATES: Readonly<Record<MailKind, (parts: MailParts, apiUrl: string) => Text>> = {
  confirm_email: ({ token, usefulUntil }, apiUrl) => ({
    subject: 'Confirm your email address',
    blocks: [
      'Somebody gave this address to the partner wallet service. If it was you, confirm it with this token:',
      [token ?? ''],
      `The token works once, until ${timeOf(usefulUntil)}. Send it to the API with the password that you chose:`,
      callOf(`${apiUrl}/v1/auth/email/confirm`, { token: token ?? '', password: '...' }),
      'Without the password it works too, but then everything that was made for the account before is ended: API keys, sessions, invitations, other users, one-time codes and webhook endpoints.',
      'If it was not you, do nothing: the address then stays unconfirmed. If the account is to be yours, ask for a new password at POST /v1/auth/password/forgotten: whoever registered then has nothing left.',
    ],
  }),
  registration_known: (_parts, apiUrl) => ({
    subject: 'Somebody has registered with your address',
    blocks: [
      'Somebody has tried to register a company with this address at the partner wallet service. The address has an account already, so nothing was registered.',
      'If it was you, sign in with the password that you have, or ask for another one:',
      callOf(`${apiUrl}/v1/auth/password/forgotten`, { email: '...' }),
      'If you have never registered, somebody else may have done it with your address. The same call makes the account yours: with the new password everything that was made before is ended.',
      'If it was not you, and you know your account, do nothing.',
    ],
  }),
  invitation_known: () => ({
    subject: 'A company has invited your address',
    blocks: [
      'A company invites this address to its account of the partner wallet service. The address belongs to another account already, and an address belongs to one account only.',
      'If you want to join, ask the company to invite another address of yours. If you do not expect this, do nothing: nothing has changed.',
    ],
  }),
  change_known: () => ({
    subject: 'Somebody wants to use your address',
    blocks: [
      'A user of the partner wallet service wants to use this address from now on. The address belongs to another account already, so nothing has changed.',
      'If it was you, change the address of the other account first. If it was not you, do nothing.',
    ],
  }),
  reset_password: ({ token, usefulUntil }, apiUrl) => ({
    subject: 'Replace your password',
    blocks: [
      'Somebody has asked for a new password for the account of this address. If it was you, replace the password with this token:',
      [token ?? ''],
      `The token works once, until ${timeOf(usefulUntil)}. Send it to the API with the new password:`,
      callOf(`${apiUrl}/v1/auth/password/reset`, { token: token ?? '', new_password: '...' }),
      'If it was not you, do nothing: the password then stays as it is.',
    ],
  }),
  invitation: ({ token, usefulUntil }, apiUrl) => ({
    subject: 'You are invited to a partner wallet account',
    blocks: [
      'A company invites this address to its account of the partner wallet service. If you expect this, accept with this token and a password of your own:',
      [token ?? ''],
      `The token works once, until ${timeOf(usefulUntil)}. Send it to the API with the password:`,
      callOf(`${apiUrl}/v1/auth/invitations/accept`, { token: token ?? '', password: '...' }),
      'If you do not expect this, do nothing.',
    ],
  }),
  change_email: ({ token, usefulUntil }, apiUrl) => ({
    subject: 'Confirm your new email address',
    blocks: [
      'A user of the partner wallet service wants to use this address from now on. If it was you, confirm it with this token:',
      [token ?? ''],
      `The token works once, until ${timeOf(usefulUntil)}. Send it to the API:`,
      callOf(`${apiUrl}/v1/auth/email/confirm`, { token: token ?? '' }),
      'If it was not you, do nothing.',
    ],
  }),
  take_back_email: ({ token, usefulUntil }, apiUrl) => ({
    subject: 'Your email address was changed',
    blocks: [
      'Your account of the partner wallet service has another email address from now on. If this was you, do nothing.',
      'If it was not you, somebody knows your password. Take the address back with this token, and choose another password:',
      [token ?? ''],
      `The token works once, until ${timeOf(usefulUntil)}. Send it to the API with the new password:`,
      callOf(`${apiUrl}/v1/auth/email/take-back`, { token: token ?? '', new_password: '...' }),
      'All sessions end with it. Look at GET /v1/security-events and at the API keys afterwards.',
    ],
  }),
  security_event: ({ content }) => {
    const { event, address, detail, at } = content as unknown as SecurityEventContent;
    const { sentence } = SECURITY_EVENT_KINDS[event];
    return {
      subject: `Security notice: ${sentence}`,
      blocks: [
        sentence,
        [
          `Time: ${timeOf(new Date(at))}`,
          ...(address === null ? [] : [`Network address: ${address}`]),
          ...Object.entries(detail).map(([name, text]) => `${name}: ${text}`),
        ].map(oneLine),
        'If this was not you or a colleague, change your password and delete the API keys that you do not know. ' +
          'All events are in the list GET /v1/security-events.',
      ],
    };
  },
};

/** What the outbox keeps of a security event for its mail. */
interface SecurityEventContent {
  event: SecurityEventKind;
  address: string | null;
  detail: Record<string, string>;
  at: string;
}

/** @param apiUrl the address at which partners reach the API. */
export function writeMail(parts: MailParts, apiUrl: string): WrittenMail {
  const { subject, blocks } = TEMPLATES[parts.kind](parts, apiUrl);
  return {
    id: parts.id,
    recipient: parts.recipient,
    subject,
    text: blocks
      .map((block) => (typeof block === 'string' ? block : block.map((line) => `    ${line}`).join('\n')))
      .join('\n\n')
      .concat('\n'),
    html: `<!doctype html>\n<html lang="en">\n<body>\n${blocks.map(htmlOf).join('\n')}\n</body>\n</html>\n`,
  };
}

const callOf = (url: string, body: Record<string, string>): readonly string[] => [
  `curl -X POST ${url} \\`,
  `  -H 'Content-Type: application/json' \\`,
  `  -d '${JSON.stringify(body)}'`,
];

const timeOf = (time: Date | null): string =>
  time === null ? 'now' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A value with a line break cannot pretend to be another line. */
const oneLine = (text: string): string => text.replace(/\p{C}/gu, ' ');

const htmlOf = (block: Block): string =>
  typeof block === 'string' ? `<p>${escaped(block)}</p>` : `<pre>${block.map(escaped).join('\n')}</pre>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text as it stands in HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
