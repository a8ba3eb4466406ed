/** The account of a wallet as the books are read from it. */
import type { Account } from '../../domain/ledger';
import type { LimitTier } from '../../domain/limits';
import type { WalletStatus } from '../../domain/wallets';

export interface AccountRow {
  id: string;
  partner_id: string;
  status: WalletStatus;
  balance_kobo: number;
  in_flight_kobo: number;
  held_kobo: number;
  sequence: number;
  limit_tier: LimitTier | null;
  counted_from: Date;
  day_debit_kobo: number;
  day_ussd_kobo: number;
}

/** The columns of `AccountRow` beside the status, which a freeze that has ended changes. */
export const ACCOUNT_COLUMNS =
  'id, partner_id, balance_kobo, in_flight_kobo, held_kobo, sequence, limit_tier, counted_from, day_debit_kobo, day_ussd_kobo';

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  partnerId: row.partner_id,
  status: row.status,
  balanceKobo: row.balance_kobo,
  inFlightKobo: row.in_flight_kobo,
  heldKobo: row.held_kobo,
  sequence: row.sequence,
  limits: row.limit_tier && {
    tier: row.limit_tier,
    countedFrom: row.counted_from,
    dayDebitKobo: row.day_debit_kobo,
    dayUssdKobo: row.day_ussd_kobo,
  },
});
