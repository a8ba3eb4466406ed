/** The histories of payments that come in. The company behind them is a fake. */
import { inboundIntention, refundIntention } from '../../src/contract/intentions';
import { newId } from '../../src/db/pg/ids';
import { SANDBOX_MFB } from '../../src/domain/banks';
import type { Provider } from '../../src/providers/port';
import { startOptions } from '../../src/relay/start-options';
import { keepHistory } from './histories';
import { noPages } from './pages';
import type { Platform } from './platform';
import { SANDBOX_CELL } from '../setup/cells';

export const INBOUND_COMPANY = 'unsteady';

/** It does not know a payment at the first question. The reference is the account number that was paid, or another word. */
export function receivingFake(): Required<Pick<Provider, 'inbound' | 'refunds'>> {
  const asked = new Set<string>();
  return {
    inbound: {
      confirm(reference) {
        if (!asked.has(reference)) {
          asked.add(reference);
          return Promise.resolve({ outcome: 'pending', pollAfterMs: 200 });
        }
        if (!/^[0-9]{10}$/.test(reference)) return Promise.resolve({ outcome: 'failed', pollAfterMs: null });
        const sender = { name: null, bankName: null, accountNumber: null, narration: null };
        const payment = {
          providerRef: reference,
          amountKobo: 1_000,
          feeKobo: 10,
          bankCode: SANDBOX_MFB.code,
          accountNumber: reference,
          customerRef: null,
          sender,
        };
        return Promise.resolve({ outcome: 'received', payment });
      },
      list: noPages,
    },
    // It has every order at once, knows at the second question that it is done, and turns the second payment away.
    refunds: {
      order: ({ reference }) =>
        Promise.resolve({ ...told(reference), outcome: reference === REFUSED ? 'refused' : 'accepted' }),
      query({ reference }) {
        const outcome = asked.has(`refund ${reference}`) ? 'success' : 'pending';
        asked.add(`refund ${reference}`);
        return Promise.resolve({ ...told(reference), outcome });
      },
      made: () => Promise.resolve([]),
    },
  };
}

/** Two account numbers that nobody has. */
const [REFUNDED, REFUSED] = ['0000000017', '0000000024'];
const told = (reference: string) => ({ providerRef: reference, reason: null, pollAfterMs: 200 });

export async function keepInboundHistories(
  { operator, sql }: Platform,
  accountNumber: string,
): Promise<void> {
  for (const [name, reference] of Object.entries({ credited: accountNumber, failed: 'not-paid' })) {
    const intention = inboundIntention({ provider: INBOUND_COMPANY, reference });
    const handle = await operator.workflow.start(
      intention.workflowType,
      startOptions(intention, 'wallet-core'),
    );
    await handle.result();
    keepHistory(`inbound-payment-${name}`, await handle.fetchHistory());
  }
  for (const [name, reference] of Object.entries({ succeeded: REFUNDED, failed: REFUSED })) {
    const paid = inboundIntention({ provider: INBOUND_COMPANY, reference });
    await operator.workflow.execute(paid.workflowType, startOptions(paid, 'wallet-core'));
    const refundId = newId();
    const [credit] = await sql(
      `UPDATE ${SANDBOX_CELL}.inbound_credits SET refund_id = $2 WHERE reference = $1 RETURNING id`,
      [reference, refundId],
    );
    const creditId = String(credit?.['id']);
    await sql(
      `INSERT INTO ${SANDBOX_CELL}.inbound_refunds (id, credit_id, provider, amount_kobo) VALUES ($1, $2, $3, 1000)`,
      [refundId, creditId, INBOUND_COMPANY],
    );
    const intention = refundIntention({ creditId, refundId });
    const handle = await operator.workflow.start(
      intention.workflowType,
      startOptions(intention, 'wallet-core'),
    );
    await handle.result();
    keepHistory(`inbound-refund-${name}`, await handle.fetchHistory());
  }
  const looking = await operator.workflow.start('untoldPayments', {
    workflowId: 'untold-payments-once',
    taskQueue: 'wallet-core',
    args: [{ hours: 1 }],
  });
  await looking.result();
  keepHistory('untold-payments', await looking.fetchHistory());
  const reading = await operator.workflow.start('bankLists', {
    workflowId: 'bank-lists-once',
    taskQueue: 'wallet-core',
    args: [],
  });
  await reading.result();
  keepHistory('bank-lists', await reading.fetchHistory());
}
