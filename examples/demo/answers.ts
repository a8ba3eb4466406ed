/** The parts of the published answers that the demo reads (interface: Resources; D3, D46, D93, D134). */
import { z } from 'zod';

const kobo = z.int();

const wallet = z.object({
  id: z.uuid(),
  user_ref: z.string(),
  status: z.string(),
  account_status: z.string(),
  account_number: z.string(),
});

const transaction = z.object({
  id: z.uuid(),
  type: z.string(),
  status: z.string(),
  reference: z.string(),
  amount: kobo,
  dest_wallet: z.uuid().nullable(),
  fee_breakdown: z.object({ customerFee: kobo }),
  failed_reason: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
});
export type Transaction = z.infer<typeof transaction>;

export const createdWallet = z.object({ data: wallet });
export const shownWallet = z.object({
  data: z.object({ wallet, balance_kobo: kobo, balance_naira: z.string() }),
});
export const acceptedTransfer = z.object({ data: transaction });
export const transactions = z.object({ data: z.array(transaction) });

export const qrRequest = z.object({
  data: z.object({ qr_code: z.string(), qr_payload: z.string(), reference: z.string() }),
});

/** The guide's form: unwrapped (D69). */
export const ussdStarted = z.object({ session_id: z.string(), dial_code: z.string(), status: z.string() });
export const ussdSimulated = z.object({ session_id: z.string(), transaction_id: z.uuid() });
export const ussdShown = z.object({ data: z.object({ status: z.string() }) });

export const kycSubmitted = z.object({ data: z.object({ verification_id: z.uuid(), status: z.string() }) });
export const kycShown = z.object({
  data: z.object({ verifications: z.array(z.object({ verification_id: z.uuid(), status: z.string() })) }),
});

export const registeredEndpoint = z.object({ data: z.object({ id: z.uuid(), secret: z.string() }) });
export const nothing = z.undefined();

export const funding = z.object({
  wallet_id: z.uuid(),
  transaction_id: z.uuid(),
  amount_kobo: kobo,
  balance_kobo: kobo,
  balance_naira: z.string(),
  status: z.string(),
});

/** The guide form of a P2P transfer. */
const walletAfter = z.object({ id: z.uuid(), balance_after_kobo: kobo, balance_after_naira: z.string() });
export const guideTransfer = z.object({
  data: z.object({
    id: z.uuid(),
    type: z.string(),
    status: z.string(),
    amount_kobo: kobo,
    amount_naira: z.string(),
    source_wallet: walletAfter,
    dest_wallet: walletAfter,
    fee_breakdown: z.object({ customer_fee_kobo: kobo, net_amount_kobo: kobo }),
  }),
});

export const ledgerPage = z.object({
  data: z.array(
    z.object({
      wallet_id: z.uuid(),
      transaction_id: z.uuid(),
      sequence: z.int(),
      direction: z.enum(['credit', 'debit']),
      amount: kobo,
      balance_after: kobo,
      status: z.string(),
    }),
  ),
});
export type LedgerEntry = z.infer<typeof ledgerPage>['data'][number];

/** A delivery's envelope (interface: Events); `data` differs by kind, its `id` is always there. */
export const deliveryBody = z.object({
  event: z.string(),
  data: z.looseObject({
    id: z.string().optional(),
    verification_id: z.string().optional(),
    type: z.string().optional(),
  }),
  timestamp: z.iso.datetime(),
  webhook_id: z.string(),
});

export const reversalTold = z.object({
  reversal: z.object({ reversed: z.boolean(), reversal_tx_id: z.string(), amount_kobo: kobo }),
});
