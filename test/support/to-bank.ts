/** Rows that are to pay a bank account, as the API writes them. */
import { scheduleIntention } from '../../src/contract/intentions';
import { insertBulk } from '../../src/db/payments/bulk-transfers';
import { insertSchedule } from '../../src/db/payments/scheduled-transfers';
import { newId } from '../../src/db/pg/ids';
import { inTransaction, type SealedCell } from '../../src/db/pg/postgres';
import type { LineRequest } from '../../src/domain/bulk-transfers';
import { valueAs } from './outcomes';

interface Payer {
  partnerId: string;
  from: string;
}

export const BANK_ACCOUNT = { bankCode: '058', accountNumber: '0123456789', accountName: 'ADA OBI' };

const asked = ({ from }: Payer, to: LineRequest['to']): Omit<LineRequest, 'reference'> => ({
  sourceWalletId: from,
  to,
  amountKobo: 100,
  description: '',
  metadata: {},
});

/** A bulk transfer of one line, which waits. @returns its id. */
export async function bulkToBank(cell: SealedCell, payer: Payer, to = BANK_ACCOUNT): Promise<string> {
  const [id, reference] = [newId(), newId()];
  const bulk = { id, partnerId: payer.partnerId, reference, amountKobo: 100 };
  const line = { ...asked(payer, to), reference: newId() };
  await inTransaction(cell.pool, (trx) => insertBulk(trx, cell, bulk, [line]));
  return id;
}

/** A scheduled transfer that is due now. @returns its id. */
export async function scheduleToBank(cell: SealedCell, payer: Payer, to = BANK_ACCOUNT): Promise<string> {
  const id = newId();
  const dueAt = new Date();
  const schedule = {
    id,
    partnerId: payer.partnerId,
    reference: newId(),
    payment: asked(payer, to),
    times: { dueAt, rule: null, count: null },
    onInsufficientFunds: 'skip',
    firstDueAt: dueAt,
    digest: '',
    key: null,
    answer: () => ({ status: 201, body: '{}' }),
    intend: scheduleIntention,
    activeMax: 100,
    canForward: true,
  } as const;
  valueAs(await insertSchedule(cell, schedule, 1_000), 'accepted');
  return id;
}
