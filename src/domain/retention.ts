/**
 * How long data about people stays, on what ground, and what happens then: one row for each class. The schedule
 * `retention`, the functions of Postgres and docs/reference/personal-data.md are made from this table. Which periods the
 * law really asks for is for a lawyer to confirm (docs/personal-data.md).
 */

interface RetentionRule {
  what: string;
  /** Why it may, or must, be kept so long. */
  ground: string;
  /** From when on the period counts. */
  from: string;
  /** In days, or by the variable of the configuration; null where it is kept for good. */
  period: { days: number } | { variable: 'IDEMPOTENCY_WINDOW_MS' | 'RETENTION_MS' } | null;
  then: 'deleted' | 'blanked' | 'kept';
}

/** Five years have two leap days at most. */
const FIVE_YEARS_DAYS = 5 * 365 + 2;

const AML = 'AML law: records of customers and transactions, five years after the relationship has ended';

export const RETENTION = {
  people: {
    what: 'what an erasure takes away: names, telephone numbers, BVNs and NINs, the bureau’s answers, texts',
    ground: AML,
    from: 'closing of the wallet',
    period: { days: FIVE_YEARS_DAYS },
    then: 'blanked',
  },
  lone_numbers: {
    what: 'BVNs, NINs and the bureau’s answers of people who never had a wallet',
    ground: AML,
    from: 'end of the check',
    period: { days: FIVE_YEARS_DAYS },
    then: 'blanked',
  },
  directors: {
    what: 'names, BVNs and NINs of directors, and the bureau’s answers',
    ground: AML,
    from: 'closing of the partner',
    period: { days: FIVE_YEARS_DAYS },
    then: 'blanked',
  },
  users: {
    what: 'accounts of the partner’s users: email address, role, password hash, one-time codes',
    ground: 'contract while the partner is open; then AML law: who acted for it, five years',
    from: 'closing of the partner; an owner may remove a user at any time',
    period: { days: FIVE_YEARS_DAYS },
    then: 'deleted',
  },
  contacts: {
    what: 'email address and telephone number of the partner',
    ground: AML,
    from: 'closing of the partner',
    period: { days: FIVE_YEARS_DAYS },
    then: 'blanked',
  },
  books: {
    what: 'ledger entries, transactions, references, account numbers, user_refs, bank accounts paid to',
    ground: 'the books: a row that is missing makes every later balance unprovable',
    from: '-',
    period: null,
    then: 'kept',
  },
  consents: {
    what: 'on what consent a BVN or NIN was checked, and with what result',
    ground: 'NDPA: the proof that the data was asked for rightly; it names nobody',
    from: '-',
    period: null,
    then: 'kept',
  },
  kept_answers: {
    what: 'answers that an Idempotency-Key repeats',
    ground: 'contract: the same answer to a repeated request',
    from: 'request',
    period: { variable: 'IDEMPOTENCY_WINDOW_MS' },
    then: 'deleted',
  },
  delivered_events: {
    what: 'payloads of webhooks that were delivered',
    ground: 'legitimate interest: to prove what was sent',
    from: 'delivery',
    period: { variable: 'RETENTION_MS' },
    then: 'deleted',
  },
  undelivered_events: {
    what: 'payloads of webhooks that were never delivered',
    ground: 'contract: a receiver that was away can still get them',
    from: 'event',
    period: { days: 365 },
    then: 'deleted',
  },
  callback_bytes: {
    what: 'bytes of providers’ callbacks',
    ground: 'legitimate interest: to settle a dispute with a provider',
    from: 'receipt',
    period: { variable: 'RETENTION_MS' },
    then: 'blanked',
  },
  ussd_phones: {
    what: 'telephone numbers of USSD sessions that have ended',
    ground: 'legitimate interest: to settle a dispute about a payment',
    from: 'beginning of the session',
    period: { variable: 'RETENTION_MS' },
    then: 'blanked',
  },
  dial_codes: {
    what: 'dial codes with telephone number and gateway session',
    ground: 'contract: who dials late is told that the session has ended',
    from: 'end of the time for which the code is taken',
    period: { days: 1 },
    then: 'deleted',
  },
  sessions: {
    what: 'sessions of users, with their network addresses',
    ground: 'legitimate interest: a sign-in from a new network is noticed',
    from: 'login',
    period: { days: 90 },
    then: 'deleted',
  },
  security_events: {
    what: 'security events of users, with their network addresses',
    ground: 'legitimate interest: to find out how an account was taken over',
    from: 'event',
    period: { days: 730 },
    then: 'deleted',
  },
  invitations: {
    what: 'invitations, with the addresses of the invited',
    ground: 'contract: who was invited by whom',
    from: 'end of the invitation',
    period: { days: 90 },
    then: 'deleted',
  },
  mails: {
    what: 'mails to users, and to people who were invited',
    ground: 'legitimate interest: to prove what was sent',
    from: 'sending',
    period: { variable: 'RETENTION_MS' },
    then: 'deleted',
  },
  business: {
    what: 'the partner as a business: its name, compliance record, addresses of webhooks, labels of keys',
    ground: 'AML law: records of a business relationship; they are about a company, not about a person',
    from: '-',
    period: null,
    then: 'kept',
  },
  operators: {
    what: 'what operators ordered, proposed, approved and read',
    ground: 'accountability: the trail is a chain of seals, and a row that is missing breaks it',
    from: '-',
    period: null,
    then: 'kept',
  },
} as const satisfies Record<string, RetentionRule>;

const DAY_MS = 86_400_000;

export type RetentionClass = keyof typeof RETENTION;

/**
 * What stays beyond its period under a legal hold on its person or partner. The others say little, go soon, or stand in
 * the books, which stay anyway.
 */
export const KEPT_BY_LEGAL_HOLD = [
  'people',
  'lone_numbers',
  'directors',
  'users',
  'contacts',
  'callback_bytes',
  'ussd_phones',
  'security_events',
] as const satisfies readonly RetentionClass[];

/** The classes with a period of days. */
type InDays = {
  [Class in RetentionClass]: (typeof RETENTION)[Class]['period'] extends { days: number } ? Class : never;
}[keyof typeof RETENTION];

/** How long a class is kept, in milliseconds. */
export const keptMs = (name: InDays): number => RETENTION[name].period.days * DAY_MS;
