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

/**
 * Mails to the owner of an address that somebody else has named, by what they asked for. Each stands for the mail that a
 * free address would get, so that no answer says whether an address is known, and it counts with that mail.
 */
export const KNOWN_ADDRESS_MAILS = {
  registration_known: 'confirm_email',
  invitation_known: 'invitation',
  change_known: 'change_email',
} as const satisfies Record<string, TokenMailKind>;
export type KnownAddressMailKind = keyof typeof KNOWN_ADDRESS_MAILS;

export type MailKind = TokenMailKind | KnownAddressMailKind | 'security_event';

/** The kinds that count together for one address. */
export const countedWith = (kind: TokenMailKind): MailKind[] => [
  kind,
  ...Object.entries(KNOWN_ADDRESS_MAILS).flatMap(([known, counts]) =>
    counts === kind ? [known as KnownAddressMailKind] : [],
  ),
];

/** The mails to addresses that a partner has named: they count together. */
export const MAILS_TO_NAMED = [...countedWith('invitation'), ...countedWith('change_email')];
/** How many of them a partner may cause in an hour. One whose address nobody has proved may be anybody. */
export const NAMED_PER_HOUR = { unproved: 10, proved: 100 } as const;

/** A mail as its reader gets it. */
export interface WrittenMail {
  /** Stays the same when the mail goes out a second time. */
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}
