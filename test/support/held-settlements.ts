/**
 * Payments whose payer's wallet somebody else holds when they are to be settled: the first try fails, and Temporal
 * repeats it.
 */
import pg from 'pg';
import { readSessionId } from '../../src/wire/ussd';
import type { Calls } from './calls';
import { openHolder } from './holder';
import { openPhone } from './phone';
import type { PlatformAccess } from './platform-access';
import { until } from './until';
import { SANDBOX_CELL } from '../setup/cells';

interface PaidLate {
  reference: string;
  workflowId: string;
}

/**
 * Sends a bank transfer and pays by USSD while the wallet is held, and lets it go once both are being repeated.
 */
export async function payWhileHeld(
  platform: PlatformAccess,
  partner: Calls,
  url: string,
  payer: string,
): Promise<{ transfer: PaidLate; session: PaidLate; transferCount: number }> {
  const merchant = await partner.wallet();
  const { body } = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: payer,
    merchant_wallet_id: merchant.id,
    amount_kobo: 1_000,
    reference: 'ussd-held',
  });
  const phone = openPhone(url, body.dial_code);
  await phone.dial();
  await phone.type('1');
  const session = {
    reference: 'ussd-held',
    workflowId: `ussd/${readSessionId(body.session_id) ?? ''}`,
  };

  const pool = new pg.Pool({ connectionString: platform.databaseUrl, max: 1 });
  // The holder is connected before the transfer is sent, because the transfer is settled a tenth of a second
  // later. If it was settled before the wallet was locked, another transfer is sent.
  const holder = await openHolder(pool);
  try {
    const send = async () => {
      const sent = await partner.bankTransfer(payer);
      // NO KEY UPDATE, because counting a PIN needs a key lock on the wallet's row.
      await holder.begin(`SELECT FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR NO KEY UPDATE`, [payer]);
      return sent;
    };
    let sent = await send();
    let transferCount = 1;
    while ((await partner.transaction(payer, sent.reference)).status !== 'processing') {
      await holder.end('ROLLBACK');
      sent = await send();
      transferCount += 1;
    }
    const transfer = { reference: sent.reference, workflowId: `bank-transfer/${sent.reply.body.data.id}` };
    const screen = phone.type('1234');
    await repeats(platform, transfer.workflowId);
    await repeats(platform, session.workflowId);
    await holder.end('ROLLBACK');
    await screen;
    return { transfer, session, transferCount };
  } finally {
    await holder.close();
    await pool.end();
  }
}

/** Waits until the server tries an activity of the workflow again. */
async function repeats(platform: PlatformAccess, workflowId: string): Promise<void> {
  const handle = platform.operator.workflow.getHandle(workflowId);
  await until(`a second try in ${workflowId}`, async () => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.some(({ attempt }) => (attempt ?? 0) > 1);
  });
}
