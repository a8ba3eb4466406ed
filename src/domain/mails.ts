/** The kinds of mails that the platform sends, how long the token in one is good, and how many go to an address. */

const HOUR_MS = 3_600_000;
/**
 * Anybody may have such a mail sent to any address, so that without a limit the platform could be used to flood a
 * stranger.
 */
const FEW = 5;
/** Such a mail goes only to an address whose owner has confirmed it. */
const EVERY = Number.MAX_SAFE_INTEGER;

/**
 * The kinds of mails that carry a one-use token: for how long it is accepted, in milliseconds; how many mails of the
 * kind an address gets in an hour; and whether a new token makes the earlier ones of the same user useless.
 */
export const TOKEN_MAILS = {
  confirm_email: { goodForMs: 24 * HOUR_MS, perHour: FEW, newestOnly: true },
  reset_password: { goodForMs: HOUR_MS / 2, perHour: FEW, newestOnly: false },
  invitation: { goodForMs: 7 * 24 * HOUR_MS, perHour: FEW, newestOnly: false },
  /** To the new address of a user. */
  change_email: { goodForMs: 24 * HOUR_MS, perHour: FEW, newestOnly: true },
  /** To the address that was a user's. Whoever has taken over the account cannot make it useless by another change. */
  take_back_email: { goodForMs: 72 * HOUR_MS, perHour: EVERY, newestOnly: false },
} as const satisfies Record<string, { goodForMs: number; perHour: number; newestOnly: boolean }>;

/** The kinds of mails with a token. */
export type TokenMailKind = keyof typeof TOKEN_MAILS;

export type MailKind = TokenMailKind | 'security_event';

/** A mail as its reader gets it. */
export interface WrittenMail {
  /** Stays the same when the mail goes out a second time. */
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}
