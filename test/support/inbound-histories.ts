/** The histories of payments that come in. The company behind them is a fake. */
import { inboundIntention } from '../../src/contract/intentions';
import { SANDBOX_MFB } from '../../src/domain/banks';
import type { Provider } from '../../src/providers/port';
import { startOptions } from '../../src/relay/start-options';
import { keepHistory } from './histories';
import type { Platform } from './platform';

export const INBOUND_COMPANY = 'unsteady';

/** It does not know a payment at the first question. The reference is the account number that was paid, or another word. */
export function receivingFake(): Required<Pick<Provider, 'inbound'>> {
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
      list: () => Promise.resolve({ references: [], hasMore: false }),
    },
  };
}

export async function keepInboundHistories({ operator }: Platform, accountNumber: string): Promise<void> {
  for (const [name, reference] of Object.entries({ credited: accountNumber, failed: 'not-paid' })) {
    const intention = inboundIntention({ provider: INBOUND_COMPANY, reference });
    const handle = await operator.workflow.start(
      intention.workflowType,
      startOptions(intention, 'wallet-core'),
    );
    await handle.result();
    keepHistory(`inbound-payment-${name}`, await handle.fetchHistory());
  }
  const looking = await operator.workflow.start('untoldPayments', {
    workflowId: 'untold-payments-once',
    taskQueue: 'wallet-core',
    args: [{ hours: 1 }],
  });
  await looking.result();
  keepHistory('untold-payments', await looking.fetchHistory());
}
