/** The kinds of mails that the platform sends, and how long the token in one is good. */

export const MAIL_KINDS = ['confirm_email', 'reset_password', 'invitation', 'security_event'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

const HOUR_MS = 3_600_000;

/** The kinds that carry a one-use token: for how long it is accepted, in milliseconds. */
export const TOKEN_GOOD_FOR_MS = {
  confirm_email: 24 * HOUR_MS,
  reset_password: HOUR_MS / 2,
  invitation: 7 * 24 * HOUR_MS,
} as const satisfies Partial<Record<MailKind, number>>;

/** The kinds of mails with a token. */
export type TokenMailKind = keyof typeof TOKEN_GOOD_FOR_MS;
