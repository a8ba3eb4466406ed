/** Made by `npm run sdk` from the reference document: change the route table. */
import type { Call, FileCall, Pages } from './answers.ts';
import { Core, Group } from './core.ts';
import type { CallOptions } from './options.ts';
import type * as schema from './schema.ts';
import type { operations } from './schema.ts';

type Named<Value, Name extends PropertyKey> = Value extends { [Key in Name]: infer Found } ? Found : never;
type Json<Value> = Named<Named<Value, 'content'>, 'application/json'>;

/** The body of a request. */
type Body<Name extends keyof operations> = Json<NonNullable<operations[Name]['requestBody']>>;
/** The parameters of a GET. */
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
/** The data of an answer: without its envelope, where it has one. */
type Data<Name extends keyof operations, Status extends number> =
  Json<Named<operations[Name]['responses'], Status>> extends { data: infer Inner; meta: unknown }
    ? Inner
    : Json<Named<operations[Name]['responses'], Status>>;

export interface ListApiKeysQuery extends Query<'listApiKeys'> {}
export interface ListSessionsQuery extends Query<'listSessions'> {}
export interface ListSecurityEventsQuery extends Query<'listSecurityEvents'> {}
export interface ListUsersQuery extends Query<'listUsers'> {}
export interface ListInvitationsQuery extends Query<'listInvitations'> {}
export interface ListWalletsQuery extends Query<'listWallets'> {}
export interface GetWalletBalanceQuery extends Query<'getWalletBalance'> {}
export interface ListWalletTransactionsQuery extends Query<'listWalletTransactions'> {}
export interface ListWalletEntriesQuery extends Query<'listWalletEntries'> {}
export interface GetWalletStatementQuery extends Omit<Query<'getWalletStatement'>, 'format'> {}
export interface GetWalletStatementFileQuery extends GetWalletStatementQuery {
  format: Exclude<Query<'getWalletStatement'>['format'], 'json' | undefined>;
}
export interface ListTransactionsQuery extends Query<'listTransactions'> {}
export interface ListVolumesQuery extends Query<'listVolumes'> {}
export interface SetWalletPinAnswer extends Data<'setWalletPin', 200> {}
export interface ResolveBankAccountQuery extends Query<'resolveBankAccount'> {}
export interface ListBulkTransfersQuery extends Query<'listBulkTransfers'> {}
export interface ListBulkTransferLinesQuery extends Query<'listBulkTransferLines'> {}
export interface ListHoldsQuery extends Query<'listHolds'> {}
export interface ListScheduledTransfersQuery extends Query<'listScheduledTransfers'> {}
export interface ListScheduledTransferRunsQuery extends Query<'listScheduledTransferRuns'> {}
export interface ListQrPaymentsQuery extends Query<'listQrPayments'> {}
export interface ListUssdSessionsQuery extends Query<'listUssdSessions'> {}
export interface SimulateUssdAnswer extends Data<'simulateUssd', 200> {}
export interface TestWebhookAnswer extends Data<'testWebhook', 202> {}
export interface ListEventsQuery extends Query<'listEvents'> {}
export interface ListDeliveriesQuery extends Query<'listDeliveries'> {}
export interface ListRequestsQuery extends Query<'listRequests'> {}
export interface SubmitBusinessInfoAnswer extends Data<'submitBusinessInfo', 200> {}
export interface SubmitBusinessInfoBody extends Body<'submitBusinessInfo'> {}
export interface SubmitDirectorsAnswer extends Data<'submitDirectors', 200> {}
export interface SubmitDirectorsBody extends Body<'submitDirectors'> {}
export interface AcceptAgreementsAnswer extends Data<'acceptAgreements', 200> {}
export interface AcceptAgreementsBody extends Body<'acceptAgreements'> {}
export interface SubmitUseCaseAnswer extends Data<'submitUseCase', 200> {}
export interface SubmitUseCaseBody extends Body<'submitUseCase'> {}
export interface ReviewComplianceBody extends Body<'reviewCompliance'> {}

class Auth extends Group {
  /**
   * Register a partner.
   * Creates the company with its first user. It works in the sandbox at once, and in live once its compliance record is approved.
   */
  register(body: schema.Registration, options?: CallOptions): Call<schema.Partner> {
    return this.core.call('never', 'POST', '/v1/auth/register', 'data', { body, options });
  }

  /**
   * Log in.
   * Gives an access token for one environment, the sandbox unless live is asked for. An address may try ten times a minute for one email. After ten wrong attempts in a row the account has to wait before each further one, for a minute at first and a quarter of an hour at most; `Retry-After` says how long.
   */
  login(body: schema.Credentials, options?: CallOptions): Call<schema.Login> {
    return this.core.call('never', 'POST', '/v1/auth/login', 'data', { body, options });
  }

  /**
   * Confirm an email address.
   * The token comes by mail, works once and for 24 hours. Live keys work from the confirmation on; the sandbox needs none. The token that came to a new address makes it the address of the user.
   */
  confirmEmail(body: schema.EmailConfirmation, options?: CallOptions): Call<schema.ConfirmedEmail> {
    return this.core.call('never', 'POST', '/v1/auth/email/confirm', 'data', { body, options });
  }

  /**
   * Take an email address back.
   * Takes the token that came to the old address when it was changed, within 72 hours, and another password. All sessions of the person end. One-time codes that were switched on after the change go off, older ones stay on.
   */
  takeEmailBack(body: schema.EmailTakeBack, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/email/take-back', '', { body, options });
  }

  /**
   * Ask for a new password.
   * Mails a token, good once and for thirty minutes, if a user has this email. The answer is the same if none has.
   */
  forgotPassword(body: schema.ForgottenPassword, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/password/forgotten', '', { body, options });
  }

  /**
   * Replace a forgotten password.
   * Takes the token that came by mail. All sessions of the person end. One-time codes stay on: the next login needs one.
   */
  resetPassword(body: schema.PasswordReset, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/password/reset', '', { body, options });
  }

  /**
   * Prove once more who you are.
   * Takes the password, and a one-time code where codes are on. What asks for a fresh proof, as making a live key does, then works for ten minutes with this token. A login is a proof too.
   */
  prove(body: schema.Proof, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/proof', '', { body, options });
  }

  /**
   * Change the password.
   * Takes the old password, and a one-time code where codes are on. All other sessions of the person end.
   */
  changePassword(body: schema.PasswordChange, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/password', '', { body, options });
  }

  /**
   * Ask for another confirmation mail.
   * The token before does not work any more. An address gets five such mails in an hour, and none once it is confirmed.
   */
  sendConfirmation(options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/email/confirmation', '', { options });
  }

  /**
   * Change the email address.
   * Takes the password, and a one-time code where codes are on, and mails a token to the new address. The address changes when the token is sent to `POST /v1/auth/email/confirm`. The old address then gets a token with which it can be taken back for 72 hours.
   */
  changeEmail(body: schema.EmailChange, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/email', '', { body, options });
  }
}

class Invitations extends Group {
  /**
   * Accept an invitation.
   * Takes the token that came by mail, and the password that the new user chooses.
   */
  accept(body: schema.InvitationAcceptance, options?: CallOptions): Call<schema.User> {
    return this.core.call('never', 'POST', '/v1/auth/invitations/accept', 'data', { body, options });
  }

  /**
   * Invite somebody.
   * Mails a token, good once and for seven days. Inviting an email again renews its invitation. It needs a proof of who asks that is younger than ten minutes. A partner has at most 50 users and invitations.
   */
  create(body: schema.InvitationRequest, options?: CallOptions): Call<schema.Invitation> {
    return this.core.call('never', 'POST', '/v1/invitations', 'data', { body, options });
  }

  /**
   * List invitations.
   * Those that are open, newest first.
   */
  list(query?: ListInvitationsQuery, options?: CallOptions): Pages<schema.Invitation> {
    return this.core.pages('/v1/invitations', { query, options });
  }

  /**
   * Withdraw an invitation.
   */
  withdraw(id: string, options?: CallOptions): Call<null> {
    return this.core.call('safe', 'DELETE', '/v1/invitations/{id}', '', { parts: [id], options });
  }
}

class Partner extends Group {
  /**
   * Get the partner, the credential and the rate limit.
   * Shows whom a credential belongs to, in which environment it works, and when it ends.
   */
  get(options?: CallOptions): Call<schema.PartnerOfCaller> {
    return this.core.call('safe', 'GET', '/v1/partner', 'data', { options });
  }
}

class ApiKeys extends Group {
  /**
   * Create an API key.
   * The full key is in `data.key` of this answer and is never shown again. It is for the environment of the token. For a live key the password must have been given within the last ten minutes, at the login or at `POST /v1/auth/proof`. A partner has at most 20 keys in force in one environment. `scopes` and `allowed_cidrs` bound what a stolen key is good for.
   */
  create(body: schema.APIKeyCreation, options?: CallOptions): Call<schema.CreatedAPIKey> {
    return this.core.call('never', 'POST', '/v1/api-keys', 'data', { body, options });
  }

  /**
   * List API keys.
   * The keys of the environment of the token, newest first, without those that were deleted.
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): Pages<schema.ListedAPIKey> {
    return this.core.pages('/v1/api-keys', { query, options });
  }

  /**
   * Replace an API key.
   * Makes another key with the same label, scopes and networks, which is good for as long as the old one was to be. The old key goes on for `overlap_seconds`, a day unless given, at most a week; with 0 it ends at once. A live key needs the password within the last ten minutes, as its creation does.
   */
  rotate(id: string, body?: schema.APIKeyRotation, options?: CallOptions): Call<schema.CreatedAPIKey> {
    return this.core.call('never', 'POST', '/v1/api-keys/{id}/rotate', 'data', { parts: [id], body, options });
  }

  /**
   * Delete an API key.
   * The key is refused everywhere within five seconds.
   */
  delete(id: string, options?: CallOptions): Call<null> {
    return this.core.call('safe', 'DELETE', '/v1/api-keys/{id}', '', { parts: [id], options });
  }
}

class Sessions extends Group {
  /**
   * List sessions.
   * The sessions in force of the person whose token this is, in both environments, newest first.
   */
  list(query?: ListSessionsQuery, options?: CallOptions): Pages<schema.Session> {
    return this.core.pages('/v1/sessions', { query, options });
  }

  /**
   * Log out everywhere.
   * Ends every session of this person in both environments, this one too. Their tokens are refused everywhere within five seconds.
   */
  endAll(options?: CallOptions): Call<null> {
    return this.core.call('safe', 'DELETE', '/v1/sessions', '', { options });
  }

  /**
   * Log out.
   * Ends one session; `current` as the id is the session of this token. Its token is refused everywhere within five seconds.
   */
  end(id: string, options?: CallOptions): Call<null> {
    return this.core.call('safe', 'DELETE', '/v1/sessions/{id}', '', { parts: [id], options });
  }
}

class SecurityEvents extends Group {
  /**
   * List security events.
   * What happened around the people, the credentials and the webhook endpoints of the partner, newest first. Some events are also mailed to every user with a confirmed address.
   */
  list(query?: ListSecurityEventsQuery, options?: CallOptions): Pages<schema.SecurityEvent> {
    return this.core.pages('/v1/security-events', { query, options });
  }
}

class OneTimeCodes extends Group {
  /**
   * Ask for one-time codes.
   * Gives a secret for an authenticator (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). Nothing changes until a first code has switched the codes on.
   */
  offer(body: schema.Proof, options?: CallOptions): Call<schema.OneTimeCodeOffer> {
    return this.core.call('never', 'POST', '/v1/auth/totp', 'data', { body, options });
  }

  /**
   * Switch one-time codes on.
   * Takes a first code. From then on a login, a proof and a change of the password need a code, and each code works once. The answer shows ten recovery codes, once.
   */
  enable(body: schema.FirstCode, options?: CallOptions): Call<schema.RecoveryCodes> {
    return this.core.call('never', 'POST', '/v1/auth/totp/enable', 'data', { body, options });
  }

  /**
   * Switch one-time codes off.
   */
  disable(body: schema.Proof, options?: CallOptions): Call<null> {
    return this.core.call('never', 'POST', '/v1/auth/totp/disable', '', { body, options });
  }

  /**
   * Make new recovery codes.
   * Those before stop working.
   */
  renewRecoveryCodes(body: schema.Proof, options?: CallOptions): Call<schema.RecoveryCodes> {
    return this.core.call('never', 'POST', '/v1/auth/totp/recovery-codes', 'data', { body, options });
  }
}

class Users extends Group {
  /**
   * List users.
   * The people who sign in for the partner, newest first. They belong to both environments.
   */
  list(query?: ListUsersQuery, options?: CallOptions): Pages<schema.User> {
    return this.core.pages('/v1/users', { query, options });
  }

  /**
   * Give a user another role.
   * In force everywhere within five seconds. It needs a proof of who asks that is younger than ten minutes, and the last owner stays one.
   */
  setRole(id: string, body: schema.RoleChange, options?: CallOptions): Call<schema.User> {
    return this.core.call('safe', 'PUT', '/v1/users/{id}/role', 'data', { parts: [id], body, options });
  }

  /**
   * Remove a user.
   * The tokens of the user are refused everywhere within five seconds. API keys that the user has made go on, because programs use them. It needs a proof of who asks that is younger than ten minutes, and the last owner cannot be removed.
   */
  remove(id: string, options?: CallOptions): Call<null> {
    return this.core.call('safe', 'DELETE', '/v1/users/{id}', '', { parts: [id], options });
  }
}

class Wallets extends Group {
  /**
   * Create a wallet.
   * One wallet per owner. It is `pending` until the bank has issued its account number (NUBAN); then it is `active`, and `wallet.activated` is sent. `wallet.parked` tells what it waits for where that needs somebody. In live the metadata must have what the companies demand of an owner, such as `email`, `first_name` and `last_name`; the sandbox demands it after `PUT /v1/sandbox/requirements`.
   */
  create(body: schema.WalletCreation, options?: CallOptions): Call<schema.Wallet> {
    return this.core.call('key', 'POST', '/v1/wallets', 'data', { body, options });
  }

  /**
   * List the wallets.
   * Newest first. `user_ref` finds the one wallet of an owner. With `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListWalletsQuery, options?: CallOptions): Pages<schema.WalletInList> {
    return this.core.pages('/v1/wallets', { query, options });
  }

  /**
   * Get a wallet with its balance.
   */
  get(id: string, options?: CallOptions): Call<schema.WalletWithBalance> {
    return this.core.call('safe', 'GET', '/v1/wallets/{id}', 'data', { parts: [id], options });
  }

  /**
   * Change the metadata of a wallet.
   * Merges `metadata` into what is there; null takes a key away. A wallet that is parked for want of a detail, and a BVN or NIN that waits for a name, go on at once. What live demands cannot be taken away. The name of an account that has been opened stays.
   */
  change(id: string, body: schema.WalletChange, options?: CallOptions): Call<schema.Wallet> {
    return this.core.call('safe', 'PATCH', '/v1/wallets/{id}', 'data', { parts: [id], body, options });
  }

  /**
   * Get a wallet's balance at a time.
   * The balance after the last ledger entry that was written until then; 0 before the first. That of the last ten seconds may still change, because a payment gets its time before it is committed. A time in the future is refused.
   */
  balance(id: string, query?: GetWalletBalanceQuery, options?: CallOptions): Call<schema.WalletBalance> {
    return this.core.call('safe', 'GET', '/v1/wallets/{id}/balance', 'data', { parts: [id], query, options });
  }

  /**
   * List a wallet's transactions.
   * Newest first: all in which the wallet is source or destination. Wallets are shown as ids.
   */
  transactions(id: string, query?: ListWalletTransactionsQuery, options?: CallOptions): Pages<schema.Transaction> {
    return this.core.pages('/v1/wallets/{id}/transactions', { parts: [id], query, options });
  }

  /**
   * List a wallet's ledger entries.
   * Newest first, by `sequence`. Each `balance_after` is the one before plus or minus the amount.
   */
  ledger(id: string, query?: ListWalletEntriesQuery, options?: CallOptions): Pages<schema.LedgerEntry> {
    return this.core.pages('/v1/wallets/{id}/ledger', { parts: [id], query, options });
  }

  /**
   * Get a wallet's statement.
   * The entries of a period, oldest first, between the balances before and after it. Without `from` it begins with the wallet, without `to` it ends now. The last ten seconds may still change, because a payment gets its time before it is committed. At most 1,000,000 entries, 10,000 as PDF, and two statements at once.
   */
  statement(id: string, query?: GetWalletStatementQuery, options?: CallOptions): Call<schema.Statement> {
    return this.core.call('safe', 'GET', '/v1/wallets/{id}/statement', 'data', { parts: [id], query, options });
  }

  /**
   * Get a wallet's statement.
   * The entries of a period, oldest first, between the balances before and after it. Without `from` it begins with the wallet, without `to` it ends now. The last ten seconds may still change, because a payment gets its time before it is committed. At most 1,000,000 entries, 10,000 as PDF, and two statements at once.
   */
  statementFile(id: string, query: GetWalletStatementFileQuery, options?: CallOptions): FileCall {
    return this.core.file('/v1/wallets/{id}/statement', { parts: [id], query, options });
  }

  /**
   * Freeze a wallet.
   * Money still comes in, and none goes out, until it is unfrozen or `expires_at` has passed. The reason is kept for audits and shown to nobody.
   */
  freeze(id: string, body?: schema.WalletFreeze, options?: CallOptions): Call<schema.Wallet> {
    return this.core.call('safe', 'POST', '/v1/wallets/{id}/freeze', 'data', { parts: [id], body, options });
  }

  /**
   * Unfreeze a wallet.
   * Lifts the partner's own freeze; an operator's is lifted by operators alone.
   */
  unfreeze(id: string, body?: schema.WalletAction, options?: CallOptions): Call<schema.Wallet> {
    return this.core.call('never', 'POST', '/v1/wallets/{id}/unfreeze', 'data', { parts: [id], body, options });
  }

  /**
   * Close a wallet.
   * A wallet that has an account is closed for ever; its user_ref stays taken. Its balance must be zero, and it must have no pending or processing transaction. A pending wallet that is closed gets no account any more, and can be opened again while none was ordered for it (`reopen`).
   */
  close(id: string, body?: schema.WalletAction, options?: CallOptions): Call<schema.Wallet> {
    return this.core.call('safe', 'POST', '/v1/wallets/{id}/close', 'data', { parts: [id], body, options });
  }

  /**
   * Open a wallet again that never had an account.
   * A wallet that was closed while it was pending, before an account was ordered for it, is pending again, and its user_ref names it as before. Any other closed wallet stays closed. `metadata` is merged into what is there.
   */
  reopen(id: string, body?: schema.WalletReopening, options?: CallOptions): Call<schema.Wallet> {
    return this.core.call('safe', 'POST', '/v1/wallets/{id}/reopen', 'data', { parts: [id], body, options });
  }

  /**
   * Set or reset the wallet PIN.
   * Sandbox wallets begin with 1234. A PIN locked by nine wrong tries is unlocked by a reset.
   */
  setPin(id: string, body: schema.WalletPin, options?: CallOptions): Call<SetWalletPinAnswer> {
    return this.core.call('never', 'PUT', '/v1/wallets/{id}/pin', 'data', { parts: [id], body, options });
  }
}

export class Transactions extends Group {
  /**
   * List the transactions.
   * Newest first. Wallets are shown as ids. With `type` or `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListTransactionsQuery, options?: CallOptions): Pages<schema.Transaction> {
    return this.core.pages('/v1/transactions', { query, options });
  }

  /**
   * Get a transaction.
   * As it is now. Wallets are shown as ids.
   */
  get(id: string, options?: CallOptions): Call<schema.Transaction> {
    return this.core.call('safe', 'GET', '/v1/transactions/{id}', 'data', { parts: [id], options });
  }

  /**
   * See what happened to a transaction.
   * Oldest first: ledger entries, attempts at the payout, callbacks, the steps of a USSD session, orders by hand, the reversal, events, and what endpoints answered. Events and deliveries are shown while they are kept, and of failed deliveries the last 200.
   */
  timeline(id: string, options?: CallOptions): Call<schema.TimelineItem[]> {
    return this.core.call('safe', 'GET', '/v1/transactions/{id}/timeline', 'data', { parts: [id], options });
  }

  /**
   * Decide about a transfer whose account has another name at its bank.
   * Of a bank transfer with `on_name_mismatch: hold`. Compare `account_name` and `resolved_name` of its `dest_account`, and have it go on or fail. Its end is told by its event.
   */
  decideName(id: string, body: schema.NameDecision, options?: CallOptions): Call<schema.Transaction> {
    return this.core.call('safe', 'POST', '/v1/transactions/{id}/name-decision', 'data', { parts: [id], body, options });
  }
}

class Volumes extends Group {
  /**
   * See volumes by hour or day.
   * Oldest first, by type of transaction; an hour or day without any is left out. Without `to` the period ends now, without `from` it is a day. At most 8 days by the hour and 93 by the day, and 50,000 transactions.
   */
  list(query?: ListVolumesQuery, options?: CallOptions): Call<schema.Volume[]> {
    return this.core.call('safe', 'GET', '/v1/volumes', 'data', { query, options });
  }
}

class Transfers extends Group {
  /**
   * Transfer between two wallets.
   * A 200 means that it happened. The source pays the amount and the fee (0.5 %, at most 20,000 kobo); the destination receives exactly the amount. The same reference for the same transfer answers the original.
   */
  p2p(body: schema.P2pTransferRequest, options?: CallOptions): Call<schema.Transaction> {
    return this.core.call('key', 'POST', '/v1/transfers/p2p', 'data', { body, options });
  }

  /**
   * Transfer to a bank account.
   * The source is debited the amount and the flat fee (5,000 kobo) at once. The outcome comes later, as `transaction.completed` or `transaction.failed`; a failed transfer is given back in full by itself.
   */
  bank(body: schema.BankTransferRequest, options?: CallOptions): Call<schema.Transaction> {
    return this.core.call('key', 'POST', '/v1/transfers/bank', 'data', { body, options });
  }
}

class Banks extends Group {
  /**
   * List the banks.
   */
  list(options?: CallOptions): Call<schema.Bank[]> {
    return this.core.call('safe', 'GET', '/v1/banks', 'data', { options });
  }

  /**
   * Resolve the name of a bank account.
   * Show the name to the sender before the money is sent, because a transfer cannot be called back. Sixty enquiries a minute.
   */
  resolve(query: ResolveBankAccountQuery, options?: CallOptions): Call<schema.ResolvedAccount> {
    return this.core.call('safe', 'GET', '/v1/banks/resolve', 'data', { query, options });
  }
}

class BulkTransfers extends Group {
  /**
   * Make up to ten thousand transfers.
   * All lines are checked before anything is accepted: a line that is not well-formed, or that names a wallet or a bank that does not exist, refuses the whole. Then each line is a transfer of its own, in the order of the request, with its own reference, result and events; one that is refused stops no other. A line whose reference was used for the same transfer before gets that transaction.
   */
  create(body: schema.BulkTransferRequest, options?: CallOptions): Call<schema.BulkTransfer> {
    return this.core.call('key', 'POST', '/v1/transfers/bulk', 'data', { body, options });
  }

  /**
   * List the bulk transfers.
   * Newest first. With `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListBulkTransfersQuery, options?: CallOptions): Pages<schema.BulkTransfer> {
    return this.core.pages('/v1/transfers/bulk', { query, options });
  }

  /**
   * Get a bulk transfer.
   * As it is now, with how many of its lines have a result.
   */
  get(id: string, options?: CallOptions): Call<schema.BulkTransfer> {
    return this.core.call('safe', 'GET', '/v1/transfers/bulk/{id}', 'data', { parts: [id], options });
  }

  /**
   * List the lines of a bulk transfer.
   * In the order of the request, each with its result: the transaction, or why it was refused.
   */
  lines(id: string, query?: ListBulkTransferLinesQuery, options?: CallOptions): Pages<schema.BulkTransferLine> {
    return this.core.pages('/v1/transfers/bulk/{id}/lines', { parts: [id], query, options });
  }

  /**
   * Pause a bulk transfer.
   * Lines that have begun are finished; no other line begins.
   */
  pause(id: string, options?: CallOptions): Call<schema.BulkTransfer> {
    return this.core.call('safe', 'POST', '/v1/transfers/bulk/{id}/pause', 'data', { parts: [id], options });
  }

  /**
   * Resume a bulk transfer.
   * Goes on with the lines that have not begun.
   */
  resume(id: string, options?: CallOptions): Call<schema.BulkTransfer> {
    return this.core.call('safe', 'POST', '/v1/transfers/bulk/{id}/resume', 'data', { parts: [id], options });
  }

  /**
   * Cancel a bulk transfer.
   * Lines that have not begun are cancelled, for good. What has happened is not taken back.
   */
  cancel(id: string, options?: CallOptions): Call<schema.BulkTransfer> {
    return this.core.call('safe', 'POST', '/v1/transfers/bulk/{id}/cancel', 'data', { parts: [id], options });
  }
}

class Fees extends Group {
  /**
   * List the fees.
   * What the source of each type of transaction pays on top of the amount.
   */
  list(options?: CallOptions): Call<schema.FeeRule[]> {
    return this.core.call('safe', 'GET', '/v1/fees', 'data', { options });
  }
}

class Quotes extends Group {
  /**
   * Quote a payment before it is made.
   * Takes the body of the transfer, and answers the fees, what the source would be debited, and in `refusal` with what the transfer would be refused at this moment. Nothing moves and no money is kept ready: the balance may change before the transfer comes.
   */
  create(body: schema.QuoteRequest, options?: CallOptions): Call<schema.Quote> {
    return this.core.call('safe', 'POST', '/v1/quotes', 'data', { body, options });
  }
}

class Holds extends Group {
  /**
   * Set an amount aside.
   * Nothing moves: the balance stays, and `available_kobo` is less by the amount until the hold is captured, released or expires, after a day unless another time is asked for, and at most after seven. The fee of the payment is taken at the capture; hold `total_debit` of a quote to be sure of it. The same reference for the same hold answers the original.
   */
  create(body: schema.HoldRequest, options?: CallOptions): Call<schema.Hold> {
    return this.core.call('key', 'POST', '/v1/holds', 'data', { body, options });
  }

  /**
   * List the holds.
   * Newest first. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListHoldsQuery, options?: CallOptions): Pages<schema.Hold> {
    return this.core.pages('/v1/holds', { query, options });
  }

  /**
   * Get a hold.
   */
  get(id: string, options?: CallOptions): Call<schema.Hold> {
    return this.core.call('safe', 'GET', '/v1/holds/{id}', 'data', { parts: [id], options });
  }

  /**
   * Pay from a hold.
   * The ordinary transfer to `dest_wallet` or to `dest_account`, at most of the amount that is held, with its fee and under the reference of the hold. The hold ends in the same commit, and what the transfer does not take is free again. A transfer to a bank that fails later is given back to the wallet; the hold stays captured. The same capture again answers the original.
   */
  capture(id: string, body: schema.CaptureRequest, options?: CallOptions): Call<schema.Transaction> {
    return this.core.call('key', 'POST', '/v1/holds/{id}/capture', 'data', { parts: [id], body, options });
  }

  /**
   * Release a hold.
   * What it has set aside is free again. To release it a second time answers the same.
   */
  release(id: string, options?: CallOptions): Call<schema.Hold> {
    return this.core.call('safe', 'POST', '/v1/holds/{id}/release', 'data', { parts: [id], options });
  }
}

class ScheduledTransfers extends Group {
  /**
   * Make a transfer later, once or again and again.
   * With `due_at` once, or by a `rule` of the calendar in Lagos: every day, week or month at a time, until its last day or for a number of due times. Nothing is set aside. Each due time is the ordinary transfer, with its fee, its events and a reference of its own, and it is paid once at most. One that could not be paid within 24 hours is skipped. Every due time tells its result: `scheduled_transfer.paid`, `.skipped` or `.failed`; the last one is followed by `.ended`.
   */
  create(body: schema.ScheduledTransferRequest, options?: CallOptions): Call<schema.ScheduledTransfer> {
    return this.core.call('key', 'POST', '/v1/transfers/scheduled', 'data', { body, options });
  }

  /**
   * List the scheduled transfers.
   * Newest first. With `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListScheduledTransfersQuery, options?: CallOptions): Pages<schema.ScheduledTransfer> {
    return this.core.pages('/v1/transfers/scheduled', { query, options });
  }

  /**
   * Get a scheduled transfer.
   * As it is now, with its next due time.
   */
  get(id: string, options?: CallOptions): Call<schema.ScheduledTransfer> {
    return this.core.call('safe', 'GET', '/v1/transfers/scheduled/{id}', 'data', { parts: [id], options });
  }

  /**
   * List the due times of a scheduled transfer.
   * Those that have come, the newest first, each with its result.
   */
  runs(id: string, query?: ListScheduledTransferRunsQuery, options?: CallOptions): Pages<schema.ScheduledTransferRun> {
    return this.core.pages('/v1/transfers/scheduled/{id}/runs', { parts: [id], query, options });
  }

  /**
   * Cancel a scheduled transfer.
   * No due time is paid any more, also one that still waits for money. What was paid is not taken back; a transfer that is being posted at this very moment still counts. To cancel a second time answers the same.
   */
  cancel(id: string, options?: CallOptions): Call<schema.ScheduledTransfer> {
    return this.core.call('safe', 'POST', '/v1/transfers/scheduled/{id}/cancel', 'data', { parts: [id], options });
  }
}

class Kyc extends Group {
  /**
   * Verify the BVN of an end user.
   * The result arrives as `kyc.verified` or `kyc.failed`. The user needs no wallet; where a wallet of this `user_ref` has `first_name` and `last_name` in its metadata, the record must have that name. Where every company compares names, that wallet must be there. While the same number of the same user is pending, submitting it again answers with the same verification. In sandbox every BVN is verified, but `00000000000` and `00000000001` are not found, `00000000002` has another name, and `00000000003` is pending for 30 seconds and fails with `PROVIDER_UNAVAILABLE`.
   */
  bvn(body: schema.BvnSubmission, options?: CallOptions): Call<schema.KycSubmitted> {
    return this.core.call('safe', 'POST', '/v1/kyc/bvn', 'data', { body, options });
  }

  /**
   * Verify the NIN of an end user.
   * The result arrives as `kyc.verified` or `kyc.failed`. The user needs no wallet; where a wallet of this `user_ref` has `first_name` and `last_name` in its metadata, the record must have that name. Where every company compares names, that wallet must be there. While the same number of the same user is pending, submitting it again answers with the same verification. In sandbox every NIN is verified.
   */
  nin(body: schema.NinSubmission, options?: CallOptions): Call<schema.KycSubmitted> {
    return this.core.call('safe', 'POST', '/v1/kyc/nin', 'data', { body, options });
  }

  /**
   * List the verifications of an end user, newest first.
   * Neither a BVN nor a NIN is ever shown, not even in part.
   */
  status(userRef: string, options?: CallOptions): Call<schema.KycStatus> {
    return this.core.call('safe', 'GET', '/v1/kyc/{userRef}/status', 'data', { parts: [userRef], options });
  }
}

class Qr extends Group {
  /**
   * Ask for a payment by QR.
   * Gives a picture to show and its text. Nothing moves until somebody pays; a request is paid once, and expires after five minutes unless another time is asked for.
   */
  create(body: schema.QrCreateRequest, options?: CallOptions): Call<schema.QrPaymentRequest> {
    return this.core.call('key', 'POST', '/v1/payments/qr/create', 'data', { body, options });
  }

  /**
   * List the QR payment requests.
   * Newest first, without their pictures. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListQrPaymentsQuery, options?: CallOptions): Pages<schema.QrRequestInList> {
    return this.core.pages('/v1/payments/qr', { query, options });
  }

  /**
   * Pay a QR payment request.
   * The request is named by its reference, or by the whole text that was scanned. A repeat from the same wallet gets the original payment.
   */
  pay(body: schema.QrPayRequest, options?: CallOptions): Call<schema.Transaction> {
    return this.core.call('key', 'POST', '/v1/payments/qr/pay', 'data', { body, options });
  }

  /**
   * Get a QR payment request.
   * As it is now, with its picture. A reference stands in the path with its special characters encoded.
   */
  get(reference: string, options?: CallOptions): Call<schema.QrRequest> {
    return this.core.call('safe', 'GET', '/v1/payments/qr/{reference}', 'data', { parts: [reference], options });
  }
}

class Payments extends Group {
  /**
   * Pay several wallets at once.
   * Either all legs happen or none. Each is a transaction of its own under the same reference, numbered from 0 by `metadata.split_index`. Only amounts count: nothing is computed from the percentages. Ten legs take one place of the rate limit, and the metadata of all legs together has at most 262,144 bytes.
   */
  split(body: schema.SplitRequest, options?: CallOptions): Call<schema.Transaction[]> {
    return this.core.call('key', 'POST', '/v1/payments/split', 'data', { body, options });
  }
}

class Ussd extends Group {
  /**
   * Initiate a USSD payment.
   * The payer dials the code within three minutes and confirms with the wallet PIN. Without merchant_wallet_id the partner’s settlement wallet is paid.
   */
  initiate(body: schema.UssdInitiation, options?: CallOptions): Call<schema.UssdStarted> {
    return this.core.call('key', 'POST', '/v1/payments/ussd/initiate', 'data', { body, options });
  }

  /**
   * List the USSD sessions.
   * Newest first. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.
   */
  list(query?: ListUssdSessionsQuery, options?: CallOptions): Pages<schema.UssdSession> {
    return this.core.pages('/v1/payments/ussd', { query, options });
  }

  /**
   * Get a USSD session.
   */
  get(sessionId: string, options?: CallOptions): Call<schema.UssdSession> {
    return this.core.call('safe', 'GET', '/v1/payments/ussd/{sessionId}', 'data', { parts: [sessionId], options });
  }
}

class Sandbox extends Group {
  /**
   * Confirm or cancel a USSD payment in the payer’s place.
   */
  simulateUssd(body: schema.UssdSimulation, options?: CallOptions): Call<SimulateUssdAnswer> {
    return this.core.call('never', 'POST', '/v1/sandbox/ussd/simulate', 'session_id', { body, options });
  }

  /**
   * Play the phone of a payer.
   * Carries a dialogue on as a gateway does: the screens, the PIN and its attempts are the real ones. A code of another partner is unknown.
   */
  dialUssd(body: schema.UssdDial, options?: CallOptions): Call<schema.UssdScreen> {
    return this.core.call('never', 'POST', '/v1/sandbox/ussd/dial', 'reply', { body, options });
  }

  /**
   * Plays the reviewer of the compliance record.
   */
  reviewCompliance(body: ReviewComplianceBody, options?: CallOptions): Call<schema.ComplianceStatus> {
    return this.core.call('never', 'POST', '/v1/sandbox/compliance/review', 'data', { body, options });
  }

  /**
   * Fund a wallet.
   * Credits it as an inbound bank transfer would; sends `transaction.completed`.
   */
  fund(walletId: string, body: schema.Funding, options?: CallOptions): Call<schema.FundingResult> {
    return this.core.call('key', 'POST', '/v1/sandbox/wallets/{wallet_id}/fund', 'wallet_id', { parts: [walletId], body, options });
  }

  /**
   * Complete a bank transfer.
   * Ends a processing transfer at once; sends `transaction.completed`.
   */
  completeTransfer(body: schema.TransferCompletion, options?: CallOptions): Call<schema.TransferOutcome> {
    return this.core.call('safe', 'POST', '/v1/sandbox/bank-transfer/complete', 'transaction_id', { body, options });
  }

  /**
   * Fail a bank transfer.
   * Ends a processing transfer at once and gives the debit back; sends `transaction.failed`.
   */
  failTransfer(body: schema.TransferFailure, options?: CallOptions): Call<schema.TransferOutcome> {
    return this.core.call('safe', 'POST', '/v1/sandbox/bank-transfer/fail', 'transaction_id', { body, options });
  }

  /**
   * Reset the sandbox.
   * Permanently deletes every wallet, transaction and KYC record of the sandbox, with all that belongs to them. Keys, webhook endpoints and compliance stay. user_refs and references are free again. During the reset other writes are answered 503. If the reset takes long, this request is answered 503 as well; the same request then waits for the end.
   */
  reset(options?: CallOptions): Call<schema.ResetResult> {
    return this.core.call('safe', 'POST', '/v1/sandbox/reset', 'result', { options });
  }

  /**
   * See how much the sandbox has stored.
   * What requests have stored, in bytes. When it reaches `allowed_bytes`, what would store more is refused with LIMIT_EXCEEDED until a reset; reading goes on. Before the email address is confirmed less is allowed.
   */
  storage(options?: CallOptions): Call<schema.SandboxStorage> {
    return this.core.call('safe', 'GET', '/v1/sandbox/storage', 'used_bytes', { options });
  }

  /**
   * List the scenarios of bank transfers.
   * A bank transfer with one of these in its header `X-Sandbox-Scenario`, or to an account with the ending, goes that way each time. Live knows neither.
   */
  scenarios(options?: CallOptions): Call<schema.SandboxScenarios> {
    return this.core.call('safe', 'GET', '/v1/sandbox/scenarios', 'scenarios', { options });
  }

  /**
   * Have deliveries go wrong.
   * For some seconds the deliveries to this endpoint go wrong as `mode` says; `none` ends that. Deliveries and timelines name the fault.
   */
  fault(id: string, body: schema.WebhookFault, options?: CallOptions): Call<schema.WebhookFaultResult> {
    return this.core.call('safe', 'PUT', '/v1/sandbox/webhooks/{id}/fault', 'webhook_id', { parts: [id], body, options });
  }

  /**
   * Forward the time.
   * Moves the deadlines of everything that is open earlier by so many seconds, as if they had passed; what is over by then ends at once, with its events. Scheduled transfers run each due time that the calendar passes, in one order with the ends of holds and freezes, each once and under its own date, on whose day it counts for limits. No clock and no timestamp changes, and wallets that are being opened stay.
   */
  forward(body: schema.ClockForward, options?: CallOptions): Call<schema.ClockForwarded> {
    return this.core.call('never', 'POST', '/v1/sandbox/clock/forward', 'result', { body, options });
  }

  /**
   * See the limits of wallets.
   * The limits of the Central Bank of Nigeria by tier, and whether your sandbox enforces them. In live they are always enforced. A wallet comes into its tier by the verifications of its user_ref.
   */
  limits(options?: CallOptions): Call<schema.SandboxLimits> {
    return this.core.call('safe', 'GET', '/v1/sandbox/limits', 'enforced', { options });
  }

  /**
   * Switch the limits of wallets on or off.
   * With `enforced: true` all wallets of your sandbox come under the limits that live has; a payment beyond one is refused with LIMIT_EXCEEDED and `detail: {limit, used_kobo, allowed_kobo, resets_at}`. The use of a day is counted from now on. A reset switches them off. If this is answered 503, the same request does what was left.
   */
  setLimits(body: schema.SandboxLimitsSwitch, options?: CallOptions): Call<schema.SandboxLimits> {
    return this.core.call('safe', 'PUT', '/v1/sandbox/limits', 'enforced', { body, options });
  }

  /**
   * See what live demands of owners.
   * What the companies that serve live demand before they open an account or check a number, and whether your sandbox demands it as well. Where live has no company yet, it is what any of them would demand.
   */
  requirements(options?: CallOptions): Call<schema.SandboxRequirements> {
    return this.core.call('safe', 'GET', '/v1/sandbox/requirements', 'as_live', { options });
  }

  /**
   * Have the sandbox demand what live demands.
   * With `as_live: true` a wallet, a change of its metadata and a BVN or NIN without what live demands of the owner are refused with VALIDATION_ERROR, as in live. A reset switches it off.
   */
  setRequirements(body: schema.SandboxRequirementsSwitch, options?: CallOptions): Call<schema.SandboxRequirements> {
    return this.core.call('safe', 'PUT', '/v1/sandbox/requirements', 'as_live', { body, options });
  }
}

class Webhooks extends Group {
  /**
   * List the webhook endpoints.
   */
  list(options?: CallOptions): Call<schema.WebhookEndpoint[]> {
    return this.core.call('safe', 'GET', '/v1/webhooks', 'data', { options });
  }

  /**
   * Register a webhook endpoint.
   * The `secret` of the answer verifies the signatures of deliveries and is shown only here. In live the address must be https and public. At most 20 endpoints.
   */
  create(body: schema.WebhookRegistration, options?: CallOptions): Call<schema.RegisteredWebhookEndpoint> {
    return this.core.call('never', 'POST', '/v1/webhooks', 'data', { body, options });
  }

  /**
   * Get a webhook endpoint.
   */
  get(id: string, options?: CallOptions): Call<schema.WebhookEndpoint> {
    return this.core.call('safe', 'GET', '/v1/webhooks/{id}', 'data', { parts: [id], options });
  }

  /**
   * Change a webhook endpoint.
   * Another address or other events, or off and on again; what is left out stays, and so does the secret. What an endpoint misses while it is off is kept, and sent by `recover`.
   */
  update(id: string, body: schema.WebhookChange, options?: CallOptions): Call<schema.WebhookEndpoint> {
    return this.core.call('safe', 'PATCH', '/v1/webhooks/{id}', 'data', { parts: [id], body, options });
  }

  /**
   * Delete a webhook endpoint.
   */
  delete(id: string, options?: CallOptions): Call<null> {
    return this.core.call('safe', 'DELETE', '/v1/webhooks/{id}', '', { parts: [id], options });
  }

  /**
   * Test a webhook endpoint.
   * Sends `webhook.test`, or a sample of the named event, to this endpoint alone: signed and repeated as every delivery is. A disabled endpoint is refused, because nothing would be sent to it.
   */
  test(id: string, body?: schema.WebhookTest, options?: CallOptions): Call<TestWebhookAnswer> {
    return this.core.call('never', 'POST', '/v1/webhooks/{id}/test', 'data', { parts: [id], body, options });
  }

  /**
   * Replace the secret of a webhook endpoint.
   * The `secret` of the answer is shown only here. For a day, or as long as the body asks for, deliveries are signed with the secret before as well, so `webhook-signature` has several items. Ask for 0 seconds when the secret before has leaked. At most four earlier secrets are in force at once.
   */
  rotateSecret(id: string, body?: schema.WebhookSecretRotation, options?: CallOptions): Call<schema.RotatedWebhookEndpoint> {
    return this.core.call('never', 'POST', '/v1/webhooks/{id}/rotate-secret', 'data', { parts: [id], body, options });
  }

  /**
   * List the deliveries to an endpoint.
   * By event, newest first. A delivery is named by its endpoint and its event. With a filter a page may be short, or empty, and still have a next one.
   */
  deliveries(id: string, query?: ListDeliveriesQuery, options?: CallOptions): Pages<schema.Delivery> {
    return this.core.pages('/v1/webhooks/{id}/deliveries', { parts: [id], query, options });
  }

  /**
   * Get a delivery with its attempts.
   * What was sent, and what came of each attempt. Of those that succeeded the last one is kept.
   */
  delivery(id: string, eventId: string, options?: CallOptions): Call<schema.DeliveryDetail> {
    return this.core.call('safe', 'GET', '/v1/webhooks/{id}/deliveries/{event_id}', 'data', { parts: [id, eventId], options });
  }

  /**
   * Send an endpoint what it did not get.
   * Makes every `failed` and `parked` delivery due again whose event was written since then, oldest first. Switch a disabled endpoint on first.
   */
  recover(id: string, body: schema.WebhookRecovery, options?: CallOptions): Call<schema.WebhookRecovered> {
    return this.core.call('never', 'POST', '/v1/webhooks/{id}/recover', 'data', { parts: [id], body, options });
  }
}

export class Events extends Group {
  /**
   * List the events.
   * Newest first, whether or not an endpoint was subscribed to them. Events are kept for 30 days, and what was never delivered for a year. With a filter a page may be short, or empty, and still have a next one. With `after` it gives what came later, oldest first and each once, and `wait` has it answer as soon as there is something: go on with `meta.next_after`. With the id of the last event instead, one that was committed late may be left out. Waiting counts as a stream.
   */
  list(query?: ListEventsQuery, options?: CallOptions): Pages<schema.Event> {
    return this.core.pages('/v1/events', { query, options });
  }

  /**
   * Get an event.
   */
  get(id: string, options?: CallOptions): Call<schema.Event> {
    return this.core.call('safe', 'GET', '/v1/events/{id}', 'data', { parts: [id], options });
  }

  /**
   * Send an event again.
   * To every active endpoint that it was meant for, or to the one that the body names, with the same id and the same bytes. Attempts begin anew.
   */
  redeliver(id: string, body?: schema.EventRedelivery, options?: CallOptions): Call<schema.EventRedelivered> {
    return this.core.call('never', 'POST', '/v1/events/{id}/redeliver', 'data', { parts: [id], body, options });
  }
}

export class Requests extends Group {
  /**
   * List the requests.
   * What the keys and users of the partner asked for, newest first, a moment after each was answered. Kept for 7 days in the sandbox and for 30 in live, without paths. Under an overload, or in a crash, some may be left out. With a filter a page may be short, or empty, and still have a next one.
   */
  list(query?: ListRequestsQuery, options?: CallOptions): Pages<schema.LoggedRequest> {
    return this.core.pages('/v1/requests', { query, options });
  }

  /**
   * Get a request.
   * By the `X-Request-Id` of its answer, with the first 4 KB of both bodies in the sandbox. `[hidden]` stands there for what is secret or says something about a person, and for fields that the operation does not know.
   */
  get(requestId: string, options?: CallOptions): Call<schema.LoggedRequestWithBodies> {
    return this.core.call('safe', 'GET', '/v1/requests/{request_id}', 'data', { parts: [requestId], options });
  }
}

class Compliance extends Group {
  /**
   * Compliance record and step completion.
   */
  status(options?: CallOptions): Call<schema.ComplianceStatus> {
    return this.core.call('safe', 'GET', '/v1/partner/compliance/status', 'data', { options });
  }

  /**
   * Business registration.
   */
  business(body: SubmitBusinessInfoBody, options?: CallOptions): Call<SubmitBusinessInfoAnswer> {
    return this.core.call('safe', 'POST', '/v1/partner/compliance/business', 'status', { body, options });
  }

  /**
   * Directors.
   * Replaces the list. A BVN is verified afterwards and reported by kyc.verified or kyc.failed; numbers are encrypted at rest.
   */
  directors(body: SubmitDirectorsBody, options?: CallOptions): Call<SubmitDirectorsAnswer> {
    return this.core.call('safe', 'POST', '/v1/partner/compliance/directors', 'status', { body, options });
  }

  /**
   * Terms, AML policy and data processing agreement.
   */
  agreements(body: AcceptAgreementsBody, options?: CallOptions): Call<AcceptAgreementsAnswer> {
    return this.core.call('safe', 'POST', '/v1/partner/compliance/agreements', 'status', { body, options });
  }

  /**
   * Use case.
   * If every other step is complete, this submits the record for review.
   */
  useCase(body: SubmitUseCaseBody, options?: CallOptions): Call<SubmitUseCaseAnswer> {
    return this.core.call('safe', 'POST', '/v1/partner/compliance/use-case', 'status', { body, options });
  }
}

/** All groups of operations. */
export class Operations extends Core {
  readonly auth = new Auth(this);
  readonly invitations = new Invitations(this);
  readonly partner = new Partner(this);
  readonly apiKeys = new ApiKeys(this);
  readonly sessions = new Sessions(this);
  readonly securityEvents = new SecurityEvents(this);
  readonly oneTimeCodes = new OneTimeCodes(this);
  readonly users = new Users(this);
  readonly wallets = new Wallets(this);
  readonly transactions = new Transactions(this);
  readonly volumes = new Volumes(this);
  readonly transfers = new Transfers(this);
  readonly banks = new Banks(this);
  readonly bulkTransfers = new BulkTransfers(this);
  readonly fees = new Fees(this);
  readonly quotes = new Quotes(this);
  readonly holds = new Holds(this);
  readonly scheduledTransfers = new ScheduledTransfers(this);
  readonly kyc = new Kyc(this);
  readonly qr = new Qr(this);
  readonly payments = new Payments(this);
  readonly ussd = new Ussd(this);
  readonly sandbox = new Sandbox(this);
  readonly webhooks = new Webhooks(this);
  readonly events = new Events(this);
  readonly requests = new Requests(this);
  readonly compliance = new Compliance(this);
}
