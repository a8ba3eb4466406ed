/**
 * Keeps the callbacks of providers (D115, D155, R23). The provider is asked before anything is done because of
 * one.
 */
import { createHash } from 'node:crypto';
import { present } from '../domain/assert';
import type { CallbackNotice } from '../domain/callbacks';
import type { Transaction } from '../domain/transactions';
import {
  findAnyTransaction,
  findReportedAttempt,
  findSubmitter,
  storeCallback,
} from '../db/payments/callbacks';
import { storeNotice } from '../db/payments/inbound-credits';
import { newId } from '../db/pg/ids';
import type { Environment, OpenCell } from '../runtime/environment';
import { callbackBodyPlace, noticeBodyPlace } from '../secrets/sealing';
import { canonicalId } from '../wire/ids';
import type { Said } from '../wire/provider-callbacks';

/** Keeps what a company has said, by what it is about. @param body the bytes as they were signed. */
export const keepSaid = (
  environment: Environment,
  provider: string,
  said: Said,
  body: string,
): Promise<void> =>
  said.about === 'transfer'
    ? keepCallback(environment, provider, said.notice, body)
    : keepNotice(environment, provider, said, body);

/** Keeps a genuine notice of a payment that came in or goes back, once per body, and has the company asked about the payment. */
async function keepNotice(
  environment: Environment,
  provider: string,
  { reference, about }: Exclude<Said, { about: 'transfer' }>,
  body: string,
): Promise<void> {
  const id = newId();
  const bodySealed = environment.sealing.seal(body, noticeBodyPlace(id));
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const isNew = await storeNotice(environment, { id, provider, reference, about, bodySha256, bodySealed });
  if (isNew) environment.relay.tellOfPaymentsLater(environment, [{ id, provider, reference, about }]);
}

/**
 * Keeps a genuine callback, once per event, and has the transfer's workflow told of it. A callback that
 * contradicts our books is kept like any other, and reconciliation makes a finding of it.
 * @param body the bytes as they were signed.
 */
async function keepCallback(
  environment: Environment,
  provider: string,
  notice: CallbackNotice,
  body: string,
): Promise<void> {
  const { cell, transfer } = await transferNamed(environment, notice.transferName);
  const attempt = transfer && (await findReportedAttempt(cell, transfer.id, notice.attemptNumber));
  const id = newId();
  const bodySealed = environment.sealing.seal(body, callbackBodyPlace(id));
  const untold = await storeCallback(cell, provider, notice, { id, bodySealed, transfer, attempt });
  if (untold) environment.relay.tellLater(cell, [untold]);
}

/**
 * The transfer and its cell. A callback may come before we have noted the submission; then the transfer's id is
 * looked up in every cell. A callback about no transfer of ours is kept in the first cell.
 */
async function transferNamed(
  environment: Environment,
  name: string,
): Promise<{ cell: OpenCell; transfer: Transaction | null }> {
  const cells = [...environment.cells.values()];
  const nowhere = { cell: present(cells[0], 'a cell'), transfer: null };
  const id = canonicalId(name, 'transaction');
  if (!id) return nowhere;
  const partnerId = await findSubmitter(environment.pool, environment.directory, id);
  const owner = partnerId === null ? null : await environment.findPartner(partnerId);
  for (const cell of owner ? [owner.cell] : cells) {
    const transfer = await findAnyTransaction(cell, id);
    if (transfer) return { cell, transfer };
  }
  return nowhere;
}
