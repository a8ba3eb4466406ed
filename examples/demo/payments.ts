/** The demo's payments beyond transfers, and a verification: QR, split, USSD, BVN. */
import type { WalletClient as Client } from '../../sdk/src';
import { check, checkSame } from './check';
import { QR_KOBO, SPLIT_KOBO, USSD_KOBO } from './money';
import { poll } from './poll';
import type { Holder } from './steps';

const VERIFICATION_LIMIT_MS = 30_000;
/** In the sandbox every BVN is verified, except for the reserved ones (D83). */
const GOOD_BVN = '22222222222';

interface Pair {
  readonly payer: Holder;
  readonly payee: Holder;
}

/** A QR that the payee shows and the payer scans: paid by its text, and once. */
export async function payByQr(client: Client, { payer, payee }: Pair, reference: string): Promise<string> {
  const { qr_code, qr_payload } = await client.qr.create({
    wallet_id: payee.id,
    amount: QR_KOBO,
    reference,
  });
  check(Buffer.from(qr_code, 'base64').subarray(1, 4).toString() === 'PNG', 'qr_code should be a PNG');
  const scan = { qr_reference: qr_payload, source_wallet: payer.id };
  const paid = await client.qr.pay(scan);
  checkSame('QR payment type', paid.type, 'qr_payment');
  checkSame('QR payment status', paid.status, 'completed');
  checkSame('QR payment amount', paid.amount, QR_KOBO);
  checkSame('a second scan', (await client.qr.pay(scan)).id, paid.id);
  return paid.id;
}

/** One payment to two wallets: both legs or none. */
export async function splitBetween(
  client: Client,
  payer: Holder,
  payees: readonly Holder[],
  reference: string,
): Promise<string[]> {
  const splits = payees.map((payee) => ({ wallet_id: payee.id, amount: SPLIT_KOBO }));
  const legs = await client.payments.split({ source_wallet: payer.id, reference, splits });
  checkSame('number of legs', legs.length, payees.length);
  for (const [index, leg] of legs.entries()) {
    checkSame('split status', leg.status, 'completed');
    checkSame('split amount', leg.amount, SPLIT_KOBO);
    checkSame('split_index', leg.metadata['split_index'], index);
  }
  return legs.map((leg) => leg.id);
}

/** A payer without internet: the code to dial, then the sandbox confirms in the payer's place. */
export async function payByUssd(client: Client, { payer, payee }: Pair, reference: string) {
  const { session_id, dial_code } = await client.ussd.initiate({
    wallet_id: payer.id,
    merchant_wallet_id: payee.id,
    amount: USSD_KOBO,
    merchant_name: 'Demo Stores',
    phone: '+2348012345678',
    reference,
  });
  checkSame('USSD status', (await client.ussd.get(session_id)).status, 'initiated');
  const simulated = await client.sandbox.simulateUssd({ session_id, action: 'confirm' });
  checkSame('simulated session', simulated.session_id, session_id);
  checkSame('USSD session status', (await client.ussd.get(session_id)).status, 'completed');
  return { id: simulated.transaction_id, dialCode: dial_code };
}

/** An end user's BVN: pending at once, verified in a second or two. */
export async function verifyBvn(client: Client, { userRef }: Holder): Promise<string> {
  const { verification_id, status } = await client.kyc.bvn({ user_ref: userRef, bvn: GOOD_BVN });
  checkSame('status of the verification', status, 'pending');
  await poll('the verification', VERIFICATION_LIMIT_MS, async () => {
    const { verifications } = await client.kyc.status(userRef);
    const found = verifications.find((one) => one.verification_id === verification_id);
    return found?.status === 'verified' ? found : undefined;
  });
  return verification_id;
}
