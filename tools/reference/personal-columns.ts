/**
 * What an erasure and retention do with every column of the database that can hold the words of a person: text, JSON
 * and bytes. A test compares this table with the catalogue of Postgres, so a new column cannot be forgotten.
 */
import type { PersonalClass } from '../../src/domain/personal-data';
import type { RetentionClass } from '../../src/domain/retention';

/** What is in the columns that an erasure of a customer has nothing to do with. */
export const NOT_OF_CUSTOMERS = {
  words: 'words, ids and numbers of the platform and of providers, which name nobody',
  business: 'the partner as a business: names, addresses, settings, compliance',
  contacts: 'how to reach the partner',
  directors: 'directors of the partner, in its compliance record',
  users: 'users of the partner: it is their own account, and no customer’s',
  invitations: 'people who were invited to become users',
  mails: 'mails to users, and to people who were invited',
  sessions: 'sessions of users, with their network addresses',
  security_events: 'security events of users, with their network addresses',
  operators: 'people who run the platform',
  secrets: 'keys, secrets and hashes, which name nobody',
} as const;

export type Fate = PersonalClass | keyof typeof NOT_OF_CUSTOMERS;

/** How long it stays where it names somebody: the classes of retention, the one that ends first at the beginning. */
export const RETENTION_OF: Readonly<
  Record<Exclude<Fate, 'words' | 'secrets'>, readonly [RetentionClass, ...RetentionClass[]]>
> = {
  account_name: ['people'],
  wallet_metadata: ['people'],
  identity_numbers: ['people', 'lone_numbers'],
  pin: ['people'],
  transaction_texts: ['people'],
  qr_texts: ['people'],
  phones: ['dial_codes', 'ussd_phones', 'people'],
  events: ['delivered_events', 'undelivered_events', 'people'],
  kept_answers: ['kept_answers', 'people'],
  callback_bytes: ['callback_bytes', 'people'],
  books: ['books'],
  identity: ['books'],
  bank_accounts: ['books'],
  checks: ['consents'],
  orders: ['operators'],
  business: ['business'],
  contacts: ['contacts'],
  directors: ['directors'],
  users: ['users'],
  invitations: ['invitations'],
  mails: ['mails'],
  sessions: ['sessions'],
  security_events: ['security_events'],
  operators: ['operators'],
};

const NONE = {};

/** By schema and table. */
export const COLUMNS: Readonly<Record<string, Readonly<Record<string, Fate>>>> = {
  'cell.accounts': { status: 'words', frozen_by: 'words' },
  'cell.compliance_moves': { trigger: 'words', from_status: 'words', to_status: 'words' },
  'cell.compliance_records': {
    status: 'words',
    cac_number: 'business',
    business_type: 'business',
    terms_version: 'words',
    use_case_description: 'business',
    rejection_reason: 'business',
    reviewer: 'operators',
  },
  'cell.compliance_requests': { kind: 'words', content: 'business', actor: 'operators' },
  'cell.consents': { basis: 'checks', text_version: 'checks', channel: 'checks', request_id: 'words' },
  'cell.deliveries': { event_name: 'words', last_error: 'words' },
  'cell.directors': {
    full_name: 'directors',
    role: 'directors',
    bvn_sealed: 'directors',
    nin_sealed: 'directors',
  },
  'cell.entries': { step: 'words' },
  'cell.events': { kind: 'words', data: 'events' },
  'cell.hand_orders': { kind: 'words', verdict: 'words', reason: 'orders', actor: 'orders' },
  'cell.idempotency_keys': {
    operation: 'words',
    key: 'kept_answers',
    fingerprint: 'kept_answers',
    body: 'kept_answers',
  },
  'cell.own_mfb_credits': NONE,
  'cell.partner_epochs': NONE,
  'cell.provider_callbacks': {
    provider: 'words',
    event_id: 'words',
    provider_reference: 'books',
    outcome: 'words',
    currency: 'words',
    body: 'callback_bytes',
  },
  'cell.qr_requests': {
    reference: 'books',
    label: 'words',
    payee_name: 'account_name',
    description: 'qr_texts',
    metadata: 'qr_texts',
  },
  'cell.rate_windows': NONE,
  // A finding has ids, states and kobo by its own rule; the note is an operator's.
  'cell.recon_findings': {
    class: 'words',
    resource: 'words',
    detail: 'words',
    closed_by: 'operators',
    closed_note: 'orders',
  },
  'cell.recon_progress': { pass: 'words', position: 'words' },
  'cell.retiring_webhook_secrets': { secret_sealed: 'secrets' },
  'cell.reversals': NONE,
  'cell.sandbox_storage': NONE,
  'cell.security_notices': { kind: 'words', address: 'security_events', detail: 'security_events' },
  'cell.transactions': {
    reference: 'books',
    type: 'words',
    status: 'words',
    dest_account: 'bank_accounts',
    psp_reference: 'books',
    psp_meta: 'words',
    split_config: 'books',
    idempotency_key: 'books',
    description: 'transaction_texts',
    metadata: 'transaction_texts',
    failed_reason: 'books',
  },
  'cell.transfer_attempts': {
    provider: 'words',
    state: 'words',
    cause: 'words',
    provider_ref: 'books',
    session_id: 'books',
    code: 'words',
  },
  'cell.used_references': { reference: 'books', terms: 'books' },
  'cell.ussd_pin_attempts': { gateway_session: 'words', outcome: 'words' },
  'cell.ussd_sessions': {
    merchant_name: 'account_name',
    phone: 'phones',
    dial_code: 'words',
    status: 'words',
    failure_reason: 'words',
  },
  'cell.verifications': {
    subject: 'words',
    user_ref: 'identity',
    type: 'words',
    status: 'checks',
    // Of directors too, whose retention blanks the same columns.
    number_sealed: 'identity_numbers',
    number_index: 'identity_numbers',
    expected_name_sealed: 'identity_numbers',
    found_name_sealed: 'identity_numbers',
    failure_reason: 'checks',
  },
  'cell.wallet_actions': {
    action: 'words',
    actor: 'words',
    request_id: 'words',
    reason: 'orders',
    authority: 'orders',
  },
  'cell.wallet_pin_changes': { request_id: 'words' },
  'cell.wallet_pins': { pin_hash: 'pin', pepper_kid: 'pin' },
  'cell.wallets': {
    user_ref: 'identity',
    currency: 'words',
    account_number: 'identity',
    account_name: 'account_name',
    bank_code: 'words',
    bank_name: 'words',
    mfb_reference: 'words',
    metadata: 'wallet_metadata',
  },
  'cell.webhook_endpoints': { url: 'business', events: 'words', secret_sealed: 'secrets' },
  // The title of a workflow names amounts and kinds, and its input names ids.
  'cell.workflow_intentions': {
    workflow_id: 'words',
    workflow_type: 'words',
    title: 'words',
    input: 'words',
  },

  'directory.dial_codes': { code: 'phones', phone: 'phones', gateway_session: 'phones' },
  'directory.nuban_key': NONE,
  'directory.nubans': { account_number: 'identity' },
  'directory.restores': NONE,
  'directory.submitted_transfers': NONE,

  'platform.api_keys': {
    environment: 'words',
    key_hash: 'secrets',
    key_prefix: 'secrets',
    label: 'business',
  },
  // Operators write numbers of cases as reasons, and no names: the trail cannot be changed.
  'platform.audit': {
    request_id: 'words',
    operator_name: 'operators',
    action: 'words',
    resource: 'orders',
    phase: 'words',
    detail: 'orders',
    hash: 'secrets',
    key_id: 'words',
  },
  'platform.audit_head': { hash: 'secrets' },
  'platform.invitations': { email: 'invitations', role: 'words' },
  'platform.login_attempts': { who: 'secrets' },
  // Mails go to users of partners, and their templates know nothing of customers.
  'platform.mail_outbox': { kind: 'words', recipient: 'mails', content: 'mails', token_sealed: 'secrets' },
  'platform.mailed_tokens': { token_hash: 'secrets', kind: 'words', recipient: 'mails' },
  'platform.operators': {
    name: 'operators',
    role: 'words',
    token_hash: 'secrets',
    token_prefix: 'secrets',
  },
  'platform.partner_cells': { environment: 'words', cell: 'words' },
  'platform.partners': {
    business_name: 'business',
    email: 'contacts',
    phone: 'contacts',
    status: 'words',
    tier: 'words',
  },
  'platform.proposal_approvals': NONE,
  'platform.proposals': {
    kind: 'words',
    environment: 'words',
    terms: 'orders',
    status: 'words',
    refusal: 'words',
  },
  'platform.recovery_codes': { code_hash: 'secrets' },
  'platform.security_events': { kind: 'words', address: 'security_events', detail: 'security_events' },
  'platform.sessions': { environment: 'words', address: 'sessions', network: 'sessions' },
  'platform.stranger_windows': { who: 'secrets' },
  'platform.totp': { secret_sealed: 'secrets' },
  'platform.users': { email: 'users', password_hash: 'secrets', role: 'words' },
};
