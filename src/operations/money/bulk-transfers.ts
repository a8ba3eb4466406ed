/**
 * Bulk transfers (D202): accepted whole, run line by line by the workflow `bulk/{id}`, paused, resumed and cancelled. A line
 * is decided by the ledger exactly as the same transfer alone.
 */
import { nearestBank } from '../../domain/banks';
import type { BulkOrder, BulkTransfer, LineRequest, LineResult } from '../../domain/bulk-transfers';
import { present } from '../../domain/assert';
import type { Opening } from '../../domain/ledger';
import { done, type Outcome, type Refused } from '../../domain/outcome';
import { REFUSALS, type FieldProblem } from '../../domain/refusals';
import { bulkIntention, payoutIntentions } from '../../contract/intentions';
import { accept } from '../../db/ledger/acceptance';
import { findBulk, insertBulk, orderBulk, tooManyOpen } from '../../db/payments/bulk-transfers';
import { insertIntention } from '../../db/events/intentions';
import { newId } from '../../db/pg/ids';
import { unknownWallets } from '../../db/wallets/wallets';
import type { Config } from '../../runtime/config';
import { UnavailableError } from '../../runtime/unavailable';
import { lineField, refuseLines, type BulkRequest } from '../../wire/bulk-transfers';
import { notConfigured } from '../not-configured';
import { repeated, replied, type Replied, type Reply } from '../reply';
import type { Tenant } from '../tenant';
import { announce, p2pOpening } from './pay';
import { bankOpening } from './send-to-bank';

/**
 * Writes a bulk transfer with all its lines, its reference, the answer of its key and the intention of its workflow, in
 * one commit. No money moves before.
 * @returns the answer, or refused: VALIDATION_ERROR with the lines that name an unknown wallet or bank,
 *   SERVICE_UNAVAILABLE without a payment provider, LIMIT_EXCEEDED, DUPLICATE_REFERENCE, IDEMPOTENCY_KEY_REUSED.
 */
export async function acceptBulk(
  { config }: { config: Config },
  tenant: Tenant,
  { reference, lines, amountKobo, terms }: BulkRequest,
  { key, write }: Reply<BulkTransfer>,
): Promise<Outcome<Replied>> {
  const { environment, cell, partner, requestId } = tenant;
  const wrong = await wrongLines(tenant, lines);
  if (wrong) return wrong;
  const id = newId();
  const accepted = await accept(
    cell,
    { partnerId: partner.id, key, reference, terms, resourceId: id, transactionId: null },
    config.IDEMPOTENCY_WINDOW_MS,
    async (trx) => {
      const refused = await tooManyOpen(trx, cell.schema, partner.id);
      if (refused) return refused;
      const asked = { id, partnerId: partner.id, reference, amountKobo };
      const bulk = await insertBulk(trx, cell, asked, lines);
      const intention = await insertIntention(trx, cell.schema, { ...bulkIntention(bulk), requestId });
      const answer = write(bulk);
      return done({ value: { answer, intention }, answer });
    },
  );
  if (!accepted.ok) return accepted;
  switch (accepted.value.kind) {
    case 'accepted': {
      const { answer, intention } = accepted.value.value;
      environment.relay.afterCommit(cell, { intentions: [intention], endpointIds: [] });
      return replied(answer);
    }
    case 'same_key':
      return repeated(accepted.value.answer);
    case 'same_reference': {
      const bulk = await findBulk(cell, partner.id, accepted.value.resourceId);
      return repeated(write(present(bulk, 'the bulk transfer of a used reference')));
    }
  }
}

/** What no later moment can make right: a wallet that the partner does not have, a bank that does not exist. */
async function wrongLines(
  { environment, cell, partner }: Tenant,
  lines: readonly LineRequest[],
): Promise<Refused | null> {
  const isToBank = lines.some(({ to }) => 'bankCode' in to);
  if (isToBank && environment.providers.payouts.length === 0) return notConfigured('payment');
  const named = lines.flatMap(({ sourceWalletId, to }) =>
    'destWalletId' in to ? [sourceWalletId, to.destWalletId] : [sourceWalletId],
  );
  const unknown = await unknownWallets(cell, partner.id, [...new Set(named)]);
  const codes = new Set(lines.flatMap(({ to }) => ('bankCode' in to ? [to.bankCode] : [])));
  const noBanks = new Map<string, string>();
  for (const code of codes) {
    if (await environment.banks.find(code)) continue;
    const near = nearestBank(await environment.banks.list(), code);
    noBanks.set(code, near ? `${NO_BANK}; the nearest is ${near.code}, ${near.name}` : NO_BANK);
  }
  const problems = lines.flatMap(({ sourceWalletId, to }, place): FieldProblem[] => {
    const problem = (name: string, message: string) => ({ field: lineField(place, name), message });
    const source = unknown.has(sourceWalletId) ? [problem('source_wallet', NO_WALLET)] : [];
    if ('destWalletId' in to) {
      return unknown.has(to.destWalletId) ? [...source, problem('dest_wallet', NO_WALLET)] : source;
    }
    const noBank = noBanks.get(to.bankCode);
    return noBank === undefined ? source : [...source, problem('dest_account.bank_code', noBank)];
  });
  return problems.length === 0 ? null : refuseLines(problems);
}

const NO_WALLET = REFUSALS.WALLET_NOT_FOUND.message;
const NO_BANK = REFUSALS.INVALID_BANK_CODE.message;

/**
 * Pauses, resumes or cancels what has not begun.
 * @returns the bulk transfer as it is now, or refused: NOT_FOUND, INVALID_BULK_STATE.
 */
export async function changeBulk(
  { environment, cell, partner, requestId }: Tenant,
  id: string,
  order: BulkOrder,
): Promise<Outcome<BulkTransfer>> {
  const ordered = await orderBulk(cell, { partnerId: partner.id, id, order }, (bulk) => ({
    ...bulkIntention(bulk),
    requestId,
  }));
  if (!ordered.ok) return ordered;
  environment.relay.afterCommit(cell, { intentions: ordered.value.intentions, endpointIds: [] });
  return done(ordered.value.bulk);
}

/**
 * Posts one line. A line that was posted before is known by its reference, so a second run finds its transaction.
 * @returns its result: the transaction, or the refusal of the ledger.
 * @throws an outage, after which the line is to be posted again.
 */
export async function postLine(tenant: Tenant, place: number, asked: LineRequest): Promise<LineResult> {
  const opening = await openingOf(tenant, asked);
  if (!opening.ok) return refusedLine(place, opening);
  const isBank = 'bankCode' in asked.to;
  const result = await tenant.cell.ledger.post({
    movement: opening.value,
    requestId: tenant.requestId,
    announce: isBank ? () => [] : announce,
    ...(isBank && { intend: ({ transaction }, epoch) => payoutIntentions(transaction, epoch) }),
  });
  if (!result.ok) return refusedLine(place, result);
  const { value } = result;
  switch (value.kind) {
    case 'posted':
      return { place, transactionId: value.transaction.id };
    case 'same_reference':
      return { place, transactionId: value.transactionId };
    case 'locked':
      throw new UnavailableError('a row of a line stayed locked');
    case 'same_key':
    case 'settled_before':
      throw new Error('bug: a line has no key, and settles nothing');
  }
}

function openingOf(
  tenant: Tenant,
  { to, ...asked }: LineRequest,
): Promise<Outcome<Opening>> | Outcome<Opening> {
  return 'destWalletId' in to
    ? done(p2pOpening(tenant, { ...asked, ...to }))
    : bankOpening(tenant, { ...asked, ...to });
}

/** A refusal that says nothing about the line itself is an outage: the line waits for its end. */
function refusedLine(place: number, { refusal }: Refused): LineResult {
  if (refusal.code === 'SERVICE_UNAVAILABLE') throw new UnavailableError('a line cannot be posted now');
  return { place, refusal };
}
