/** The demo's payments beyond transfers, and a verification: QR, split, USSD, BVN. */
import * as answers from './answers';
import { check, checkSame } from './check';
import { poll } from './client';
import type { Client } from './client';
import { QR_KOBO, SPLIT_KOBO, USSD_KOBO } from './money';
import type { Wallet } from './steps';

const VERIFICATION_LIMIT_MS = 30_000;
/** In the sandbox every BVN is verified, except for the reserved ones (D83). */
const GOOD_BVN = '22222222222';

interface Pair {
  readonly payer: Wallet;
  readonly payee: Wallet;
}

/** A QR that the payee shows and the payer scans: paid by its text, and once. */
export async function payByQr(client: Client, { payer, payee }: Pair, reference: string): Promise<string> {
  const created = await client.send('POST', '/v1/payments/qr/create', 200, answers.qrRequest, {
    body: { wallet_id: payee.id, amount: QR_KOBO, reference },
  });
  const { qr_code, qr_payload } = created.body.data;
  check(Buffer.from(qr_code, 'base64').subarray(1, 4).toString() === 'PNG', 'qr_code should be a PNG');
  const pay = { qr_reference: qr_payload, source_wallet: payer.id };
  const paid = await client.send('POST', '/v1/payments/qr/pay', 200, answers.acceptedTransfer, { body: pay });
  checkSame('QR payment type', paid.body.data.type, 'qr_payment');
  checkSame('QR payment status', paid.body.data.status, 'completed');
  checkSame('QR payment amount', paid.body.data.amount, QR_KOBO);
  const again = await client.send('POST', '/v1/payments/qr/pay', 200, answers.acceptedTransfer, {
    body: pay,
  });
  checkSame('a second scan', again.body.data.id, paid.body.data.id);
  return paid.body.data.id;
}

/** One payment to two wallets: both legs or none. */
export async function splitBetween(
  client: Client,
  payer: Wallet,
  payees: readonly Wallet[],
  reference: string,
): Promise<string[]> {
  const splits = payees.map((payee) => ({ wallet_id: payee.id, amount: SPLIT_KOBO }));
  const { body } = await client.send('POST', '/v1/payments/split', 200, answers.transactions, {
    body: { source_wallet: payer.id, reference, splits },
  });
  checkSame('number of legs', body.data.length, payees.length);
  for (const [index, leg] of body.data.entries()) {
    checkSame('split status', leg.status, 'completed');
    checkSame('split amount', leg.amount, SPLIT_KOBO);
    checkSame('split_index', leg.metadata['split_index'], index);
  }
  return body.data.map((leg) => leg.id);
}

/** A payer without internet: the code to dial, then the sandbox confirms in the payer's place. */
export async function payByUssd(client: Client, { payer, payee }: Pair, reference: string) {
  const started = await client.send('POST', '/v1/payments/ussd/initiate', 200, answers.ussdStarted, {
    body: {
      payer_wallet_id: payer.id,
      merchant_wallet_id: payee.id,
      amount_kobo: USSD_KOBO,
      merchant_name: 'Demo Stores',
      reference,
    },
  });
  const { session_id, dial_code, status } = started.body;
  checkSame('USSD status', status, 'initiated');
  const { body } = await client.send('POST', '/v1/sandbox/ussd/simulate', 200, answers.ussdSimulated, {
    body: { session_id, action: 'confirm' },
  });
  checkSame('simulated session', body.session_id, session_id);
  const shown = await client.send('GET', `/v1/payments/ussd/${session_id}`, 200, answers.ussdShown);
  checkSame('USSD session status', shown.body.data.status, 'completed');
  return { id: body.transaction_id, dialCode: dial_code };
}

/** An end user's BVN: pending at once, verified in a second or two. */
export async function verifyBvn(client: Client, { userRef }: Wallet): Promise<string> {
  const submitted = await client.send('POST', '/v1/kyc/bvn', 202, answers.kycSubmitted, {
    body: { user_ref: userRef, bvn: GOOD_BVN },
  });
  const { verification_id, status } = submitted.body.data;
  checkSame('status of the verification', status, 'pending');
  await poll('the verification', VERIFICATION_LIMIT_MS, async () => {
    const { body } = await client.send('GET', `/v1/kyc/${userRef}/status`, 200, answers.kycShown);
    const found = body.data.verifications.find((one) => one.verification_id === verification_id);
    return found?.status === 'verified' ? found : undefined;
  });
  return verification_id;
}
