/** The kinds of mails that the platform sends, how long the token in one is good, and how many go to an address. */

export type MailKind = 'confirm_email' | 'reset_password' | 'invitation' | 'security_event';

const HOUR_MS = 3_600_000;

/** The kinds that carry a one-use token: for how long it is accepted, in milliseconds. */
export const TOKEN_GOOD_FOR_MS = {
  confirm_email: 24 * HOUR_MS,
  reset_password: HOUR_MS / 2,
  invitation: 7 * 24 * HOUR_MS,
} as const satisfies Partial<Record<MailKind, number>>;

/** The kinds of mails with a token. */
export type TokenMailKind = keyof typeof TOKEN_GOOD_FOR_MS;

/**
 * How many mails of one kind with a token an address gets in an hour. Anybody may have such a mail sent to any
 * address, so that without a limit the platform could be used to flood a stranger.
 */
export const TOKEN_MAILS_PER_HOUR = 5;

/** A mail as its reader gets it. */
export interface WrittenMail {
  /** Stays the same when the mail goes out a second time. */
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}
