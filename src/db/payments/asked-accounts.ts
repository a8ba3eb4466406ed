/**
 * Where a line of a bulk transfer or a scheduled transfer is to go, as its row keeps it. The name of a bank account is in a
 * column of its own, sealed.
 */
import { present } from '../../domain/assert';
import type { LineRequest } from '../../domain/bulk-transfers';
import { unusual } from '../../domain/payout-instructions';
import { paidAccountPlace, type Sealing } from '../../secrets/sealing';

type To = LineRequest['to'];
type Account = Omit<Extract<To, { bankCode: string }>, 'accountName'>;

/** What is asked for, without the name of a bank account. */
export type StoredRequest<Request extends { to: To }> = Omit<Request, 'to'> & {
  to: Exclude<To, Account> | Account;
};

/** A row, which need not be there yet. */
interface Row {
  table: 'bulk_transfer_lines' | 'scheduled_transfers';
  id: string;
}

/** What is written as `asked`, without the name. */
export function withoutName<Request extends { to: To }>(asked: Request): StoredRequest<Request> {
  const { to } = asked;
  if ('destWalletId' in to) return { ...asked, to };
  const { bankCode, accountNumber } = to;
  return { ...asked, to: { bankCode, accountNumber, ...unusual(to) } };
}

/** What is written as `account_name_sealed`: null where a wallet is paid. */
export const sealNameOf = (sealing: Sealing, row: Row, { to }: { to: To }): string | null =>
  'destWalletId' in to ? null : sealing.seal(to.accountName, placeOf(row, to));

/**
 * Where the two columns of a row say that it goes.
 * @throws where the name was sealed under a key that is not known here, or for another row or account.
 */
export function openNameOf(
  sealing: Sealing,
  row: Row,
  { to }: Pick<StoredRequest<LineRequest>, 'to'>,
  nameSealed: string | null,
): To {
  if ('destWalletId' in to) return to;
  const sealed = present(nameSealed, 'the name of an account that is to be paid');
  return { ...to, accountName: sealing.open(sealed, placeOf(row, to)) };
}

const placeOf = ({ table, id }: Row, to: Account): string =>
  paidAccountPlace(`${table}.account_name`, id, to);
