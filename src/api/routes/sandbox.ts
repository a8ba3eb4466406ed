/** The sandbox operations: fund, complete, fail, reset (interface: Sandbox-only operations; D92-D97, D146). */
import { done, map, refuse } from '../../domain/outcome';
import { forwardClock } from '../../operations/forward-clock';
import { BYTES_PER_RUN } from '../../domain/storage';
import { isLimited } from '../../db/wallets/limits';
import { setSandboxLimits } from '../../operations/sandbox-limits';
import { setRequirements } from '../../operations/demands';
import { isAsLive } from '../../db/wallets/requirements';
import { resetSandbox } from '../../operations/sandbox-reset';
import { present } from '../../domain/assert';
import { canonicalId } from '../../wire/ids';
import { limitsBody, limitsResult, readLimitsSwitch, writeLimits } from '../../wire/limits';
import {
  readRequirementsSwitch,
  requirementsBody,
  requirementsResult,
  writeRequirements,
} from '../../wire/requirements';
import {
  completionBody,
  faultBody,
  faultResult,
  failureBody,
  forwardBody,
  forwardResult,
  fundingBody,
  fundingSchema,
  outcomeResult,
  readFault,
  readForward,
  readFunding,
  readOutcome,
  resetResult,
  scenariosResult,
  storageResult,
  writeFault,
  writeForward,
  writeFunding,
  writeOutcome,
  writeReset,
  writeScenarios,
  writeStorage,
} from '../../wire/sandbox';
import { usedKey } from '../fingerprint';
import { flatAnswer, replyOf, type Route } from '../route';
import { fundWallet } from '../../operations/money/fund';
import { rehearseFault } from '../../operations/webhooks/endpoints';
import { settleByHand } from '../../operations/money/settle-by-hand';

type Operation = Omit<Route, 'path' | 'method'>;

/** Credits a wallet as an inbound transfer would; pending and frozen ones too (D94). */
const fund: Operation = {
  operation: 'fundWallet',
  postsMoney: true,
  needs: 'run',
  sandboxOnly: true,
  keyed: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.fund',
    summary: 'Fund a wallet',
    description: 'Credits it as an inbound bank transfer would; sends `transaction.completed`.',
    body: fundingBody,
    answer: { status: 200, description: 'Credited', body: fundingSchema },
    refusals: ['AMOUNT_TOO_LOW', 'NOT_FOUND', 'WALLET_CLOSED', 'LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const walletId = canonicalId(call.params.wallet_id ?? '', 'wallet');
    if (!walletId) return refuse('NOT_FOUND');
    const read = readFunding(call.body);
    if (!read.ok) return read;
    const { note } = read.value;
    const funded = await fundWallet(
      call,
      { walletId, ...read.value },
      {
        key: usedKey(call, 'fundWallet', read.value),
        write: ({ transaction, balances }) =>
          flatAnswer(
            200,
            writeFunding({
              walletId,
              transactionId: transaction.id,
              amountKobo: transaction.amountKobo,
              balanceKobo: present(balances.destKobo, 'the balance of a funded wallet'),
              note,
            }),
          ),
      },
    );
    return replyOf(funded);
  },
};

/**
 * Ends a processing bank transfer by hand. If the provider's outcome comes at the same time, the first to lock the
 * row wins (D96).
 */
const end = (to: 'completed' | 'failed'): Operation => ({
  operation: to === 'completed' ? 'completeBankTransfer' : 'failBankTransfer',
  postsMoney: true,
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  harmlessTwice: true,
  doc: {
    section: 'Sandbox',
    sdk: to === 'completed' ? 'sandbox.completeTransfer' : 'sandbox.failTransfer',
    summary: to === 'completed' ? 'Complete a bank transfer' : 'Fail a bank transfer',
    description:
      to === 'completed'
        ? 'Ends a processing transfer at once; sends `transaction.completed`.'
        : 'Ends a processing transfer at once and gives the debit back; sends `transaction.failed`.',
    body: to === 'completed' ? completionBody : failureBody,
    answer: { status: 200, description: 'What the transfer has become', body: outcomeResult },
    refusals: ['NOT_FOUND', 'TRANSACTION_NOT_PROCESSING'],
  },
  async handle(call) {
    const read = readOutcome(call.body);
    if (!read.ok) return read;
    const { transactionId, reason } = read.value;
    const end = {
      to,
      reason: to === 'failed' ? reason : null,
      actor: 'sandbox',
      withoutWorkflow: false,
    };
    const settled = await settleByHand(call, transactionId, end);
    return map(settled, () => flatAnswer(200, writeOutcome(transactionId, to)));
  },
});

/** Deletes everything of the partner's sandbox (D97). */
const reset: Operation = {
  operation: 'resetSandbox',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  bodyOptional: true,
  storesNothing: true,
  harmlessTwice: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.reset',
    summary: 'Reset the sandbox',
    description:
      'Permanently deletes every wallet, transaction and KYC record of the sandbox, with all that belongs to ' +
      'them. Keys, webhook endpoints and compliance stay. user_refs and references are free again. During the ' +
      'reset other writes are answered 503. If the reset takes long, this request is answered 503 as well; the ' +
      'same request then waits for the end.',
    answer: { status: 200, description: 'The sandbox is empty', body: resetResult },
    refusals: ['SERVICE_UNAVAILABLE'],
  },
  async handle(call) {
    return map(await resetSandbox(call), (resetAt) => {
      call.services.storage.wasReset(call.cell, call.partner);
      return flatAnswer(200, writeReset(resetAt));
    });
  },
};

/** How much the sandbox has stored, beside how much it may (D175). */
const storage: Operation = {
  operation: 'getSandboxStorage',
  needs: 'look',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.storage',
    summary: 'See how much the sandbox has stored',
    description:
      'What requests have stored, in bytes. When it reaches `allowed_bytes`, what would store more is refused with ' +
      'LIMIT_EXCEEDED until a reset; reading goes on. Before the email address is confirmed less is allowed.',
    answer: { status: 200, description: 'Used and allowed', body: storageResult },
    refusals: [],
  },
  async handle(call) {
    return done(flatAnswer(200, writeStorage(await call.services.storage.standing(call.cell, call.partner))));
  },
};

/** The outcomes that a bank transfer can be asked for (D206). */
const scenarios: Operation = {
  operation: 'listSandboxScenarios',
  needs: 'look',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.scenarios',
    summary: 'List the scenarios of bank transfers',
    description:
      'A bank transfer with one of these in its header `X-Sandbox-Scenario`, or to an account with the ending, goes ' +
      'that way each time. Live knows neither.',
    answer: { status: 200, description: 'All scenarios', body: scenariosResult },
    refusals: [],
  },
  handle: () => Promise.resolve(done(flatAnswer(200, writeScenarios()))),
};

/** What goes wrong with the deliveries to one endpoint (D207). */
const fault: Operation = {
  operation: 'setWebhookFault',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  storesNothing: true,
  harmlessTwice: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.fault',
    summary: 'Have deliveries go wrong',
    description:
      'For some seconds the deliveries to this endpoint go wrong as `mode` says; `none` ends that. Deliveries and ' +
      'timelines name the fault.',
    body: faultBody,
    answer: { status: 200, description: 'The fault is in force', body: faultResult },
    refusals: ['NOT_FOUND'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (!id) return refuse('NOT_FOUND');
    const read = readFault(call.body);
    if (!read.ok) return read;
    return map(await rehearseFault(call, id, read.value), (until) =>
      flatAnswer(200, writeFault(id, read.value, until)),
    );
  },
};

/** Moves the deadlines of a sandbox earlier (D208). */
const forward: Operation = {
  operation: 'forwardClock',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.forward',
    summary: 'Forward the time',
    description:
      'Moves the deadlines of everything that is open earlier by so many seconds, as if they had passed; what is over ' +
      'by then ends at once, with its events. Scheduled transfers run each due time that the calendar passes, in one order ' +
      'with the ends of holds and freezes, each once and under its own date, on whose day it counts for limits. No clock and no timestamp changes, and wallets that are being opened stay. ' +
      'LIMIT_EXCEEDED says how many due times, or tries of such as want money, would wait for their run at once, where ' +
      'these are more than 1,000 or 10,000; then nothing is moved.',
    body: forwardBody,
    answer: { status: 200, description: 'How much was moved', body: forwardResult },
    refusals: ['LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readForward(call.body);
    if (!read.ok) return read;
    const { seconds } = read.value;
    const windowMs = call.services.config.IDEMPOTENCY_WINDOW_MS;
    const { storage } = call.services;
    const forwarded = await forwardClock(call, {
      seconds,
      windowMs,
      refusalOf: (runs) => storage.refusalOf(call.cell, call.partner, runs * BYTES_PER_RUN),
    });
    return map(forwarded, (moved) =>
      flatAnswer(
        200,
        writeForward(seconds, {
          ussd_sessions: moved.ussdSessions.length,
          qr_requests: moved.qrRequests,
          holds: moved.holds.length,
          transfers: new Set([...moved.transfers, ...moved.callbacks]).size,
          scheduled_transfers: moved.scheduledTransfers,
          verifications: moved.verifications.length,
          deliveries: moved.deliveries,
          freezes: moved.freezes,
          idempotency_keys: moved.idempotencyKeys,
        }),
      ),
    );
  },
};

/** The regulator's limits, which the sandbox enforces only for a partner that wants them (D123). */
const limits: Operation = {
  operation: 'getSandboxLimits',
  needs: 'look',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.limits',
    summary: 'See the limits of wallets',
    description:
      'The limits of the Central Bank of Nigeria by tier, and whether your sandbox enforces them. In live they are always ' +
      'enforced. A wallet comes into its tier by the verifications of its user_ref.',
    answer: { status: 200, description: 'The table, and the switch', body: limitsResult },
    refusals: [],
  },
  async handle(call) {
    return done(flatAnswer(200, writeLimits(await isLimited(call.cell, call.partner.id))));
  },
};

const switchLimits: Operation = {
  operation: 'setSandboxLimits',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  storesNothing: true,
  harmlessTwice: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.setLimits',
    summary: 'Switch the limits of wallets on or off',
    description:
      'With `enforced: true` all wallets of your sandbox come under the limits that live has; a payment beyond one is ' +
      'refused with LIMIT_EXCEEDED and `detail: {limit, used_kobo, allowed_kobo, resets_at}`. The use of a day is counted ' +
      'from now on. A reset switches them off. If this is answered 503, the same request does what was left.',
    body: limitsBody,
    answer: { status: 200, description: 'The table, and the switch', body: limitsResult },
    refusals: [],
  },
  async handle(call) {
    const read = readLimitsSwitch(call.body);
    if (!read.ok) return read;
    return done(flatAnswer(200, writeLimits(await setSandboxLimits(call, read.value))));
  },
};

/** What live will demand of owners, which the sandbox demands only for a partner that wants it. */
const requirements: Operation = {
  operation: 'getSandboxRequirements',
  needs: 'look',
  sandboxOnly: true,
  formByHeaderOnly: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.requirements',
    summary: 'See what live demands of owners',
    description:
      'What the companies that serve live demand before they open an account or check a number, and whether your sandbox ' +
      'demands it as well. Where live has no company yet, it is what any of them would demand.',
    answer: { status: 200, description: 'The demands, and the switch', body: requirementsResult },
    refusals: [],
  },
  async handle(call) {
    const { demandsOfLive } = call.environment;
    return done(
      flatAnswer(200, writeRequirements(await isAsLive(call.cell, call.partner.id), demandsOfLive)),
    );
  },
};

const switchRequirements: Operation = {
  operation: 'setSandboxRequirements',
  needs: 'run',
  sandboxOnly: true,
  formByHeaderOnly: true,
  storesNothing: true,
  harmlessTwice: true,
  doc: {
    section: 'Sandbox',
    sdk: 'sandbox.setRequirements',
    summary: 'Have the sandbox demand what live demands',
    description:
      'With `as_live: true` a wallet, a change of its metadata and a BVN or NIN without what live demands of the owner are ' +
      'refused with VALIDATION_ERROR, as in live. A reset switches it off.',
    body: requirementsBody,
    answer: { status: 200, description: 'The demands, and the switch', body: requirementsResult },
    refusals: [],
  },
  async handle(call) {
    const read = readRequirementsSwitch(call.body);
    if (!read.ok) return read;
    const isOn = await setRequirements(call, read.value);
    return done(flatAnswer(200, writeRequirements(isOn, call.environment.demandsOfLive)));
  },
};

/** Both published prefixes serve every sandbox operation (D92). */
export const both = (path: string, operation: Operation, method: Route['method'] = 'POST'): Route[] =>
  ['/sandbox', '/v1/sandbox'].map((prefix) => ({ ...operation, method, path: prefix + path }));

export const sandboxRoutes: readonly Route[] = [
  ...both('/wallets/:wallet_id/fund', fund),
  ...both('/bank-transfer/complete', end('completed')),
  ...both('/bank-transfer/fail', end('failed')),
  ...both('/reset', reset),
  ...both('/storage', storage, 'GET'),
  ...both('/scenarios', scenarios, 'GET'),
  ...both('/webhooks/:id/fault', fault, 'PUT'),
  ...both('/clock/forward', forward),
  ...both('/limits', limits, 'GET'),
  ...both('/limits', switchLimits, 'PUT'),
  ...both('/requirements', requirements, 'GET'),
  ...both('/requirements', switchRequirements, 'PUT'),
];
