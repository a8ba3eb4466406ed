/**
 * A fake of Monnify for tests and rehearsals: it is not Monnify, and moves no money. A process of its own, written from
 * Monnify's public pages (authentication, single transfers, account validation, wallet balance, wallet statement, banks,
 * reserved accounts, transactions, refunds). The D-codes are
 * those that integrators report.
 *
 *     npx tsx test/standins/monnify/main.ts --folder <folder> [--port 0] [--control-port 0]
 *
 * `kit.ts` has its control port, and `state.ts` the settings.
 */
import { runFake, type Answer, type Asked } from '../kit';
import { ok, refusal } from './answers';
import { aboutIncoming } from './incoming';
import { aboutStatement, book, bookForeign } from './statement';
import { NEW_MONNIFY, type MonnifyReserved, type MonnifyState, type MonnifyTransfer } from './state';

const FINAL = ['SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED'];
const TOKEN = 'token-';

/** Moves every transfer on that is due. */
function moveOn(state: MonnifyState): void {
  const { settings, transfers, payments } = state;
  for (const transfer of transfers) {
    if (FINAL.includes(transfer.status) || Date.now() - transfer.bookedAtMs < settings.pendingMs) continue;
    transfer.status = transfer.ends;
    if (transfer.ends === 'SUCCESS') payments.push(transfer.reference);
    // It keeps its fee.
    else bookTransfer(state, transfer, 'CREDIT_0', transfer.amount);
  }
}

const bookTransfer = (state: MonnifyState, of: MonnifyTransfer, what: string, change: number): void =>
  book(state, {
    reference: `${of.transactionReference}_${what}`,
    change,
    narration: [of.transactionReference, of.reference, of.narration, of.bankCode, of.accountNumber].join(
      '/#/',
    ),
  });

function logIn(state: MonnifyState, { headers }: Asked): Answer {
  const { apiKey, secretKey, tokenSeconds } = state.settings;
  const expected = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
  if (headers.authorization !== expected) return refusal(401, '99', 'Invalid credentials');
  state.logins += 1;
  return ok({ accessToken: `${TOKEN}${String(state.logins)}`, expiresIn: tokenSeconds });
}

const holderOf = (accountNumber: unknown): string => `HOLDER OF ${String(accountNumber)}`;

function transfer(state: MonnifyState, body: Record<string, unknown>): Answer {
  const { settings, transfers } = state;
  const { amount, reference, narration, currency, sourceAccountNumber } = body;
  const {
    destinationBankCode: bankCode,
    destinationAccountNumber: accountNumber,
    destinationAccountName: accountName,
  } = body;
  if (typeof accountName !== 'string' || accountName === '') {
    return refusal(400, '99', 'destinationAccountName is required');
  }
  if (settings.comparesNames && accountName !== holderOf(accountNumber)) {
    return refusal(400, '99', 'Account name does not match');
  }
  const texts = [reference, narration, bankCode, accountNumber];
  const isWhole = texts.every((text) => typeof text === 'string' && text !== '');
  if (!isWhole || typeof amount !== 'number' || currency !== 'NGN' || body['async'] !== true) {
    return refusal(400, '99', 'A field is missing');
  }
  if (sourceAccountNumber !== settings.sourceAccount) return refusal(422, 'D01', 'Unknown source account');
  if (transfers.some((one) => one.reference === reference)) return refusal(422, 'D05', 'Duplicate reference');
  const isTwin = transfers.some(
    (one) =>
      one.accountNumber === accountNumber &&
      one.amount === amount &&
      Date.now() - one.bookedAtMs < settings.twinMs,
  );
  if (isTwin) return refusal(422, 'D07', 'Duplicate transfer');
  if (settings.balance < amount + settings.fee) return refusal(422, 'D04', 'Insufficient balance');
  const made: MonnifyTransfer = {
    reference: String(reference),
    transactionReference: `MFDSFAKE${String(transfers.length + 1)}`,
    amount,
    fee: settings.fee,
    bankCode: String(bankCode),
    accountNumber: String(accountNumber),
    accountName,
    narration: String(narration),
    sender: (body['senderInfo'] as MonnifyTransfer['sender'] | undefined) ?? null,
    status: 'PENDING',
    bookedAtMs: Date.now(),
    ends: settings.endings[String(accountNumber)] ?? 'SUCCESS',
  };
  transfers.push(made);
  bookTransfer(state, made, 'DEBIT_0', -amount);
  bookTransfer(state, made, 'DEBIT_1', -made.fee);
  return ok({
    amount,
    reference,
    status: made.status,
    totalFee: made.fee,
    destinationAccountNumber: made.accountNumber,
    destinationBankCode: made.bankCode,
  });
}

function summary({ transfers }: MonnifyState, reference: string | null): Answer {
  const found = transfers.find((one) => one.reference === reference);
  if (!found) return refusal(404, 'D02', 'Transaction not found');
  return ok({
    amount: found.amount,
    reference: found.reference,
    narration: found.narration,
    currency: 'NGN',
    fee: found.fee,
    status: found.status,
    transactionReference: found.transactionReference,
    destinationAccountNumber: found.accountNumber,
    destinationAccountName: found.accountName,
    destinationBankCode: found.bankCode,
  });
}

function name({ settings }: MonnifyState, query: URLSearchParams): Answer {
  const accountNumber = query.get('accountNumber') ?? '';
  if (settings.unknownAccounts.includes(accountNumber)) return refusal(404, 'D02', 'Account not found');
  return ok({ accountNumber, accountName: holderOf(accountNumber), bankCode: query.get('bankCode') });
}

const RESERVED = '/api/v2/bank-transfer/reserved-accounts';

const writeReserved = (one: MonnifyReserved): object => ({
  contractCode: NEW_MONNIFY.settings.contractCode,
  accountReference: one.accountReference,
  accountName: one.accountName,
  currencyCode: 'NGN',
  customerEmail: one.customerEmail,
  accounts: [
    {
      bankCode: one.bankCode,
      bankName: `Bank ${one.bankCode}`,
      accountNumber: one.accountNumber,
      accountName: one.accountName,
    },
  ],
  collectionChannel: 'RESERVED_ACCOUNT',
  reservationReference: `RES-${one.accountNumber}`,
  status: one.status,
});

function reserve({ settings, reserved }: MonnifyState, body: Record<string, unknown>): Answer {
  const { accountReference, accountName, customerEmail, contractCode, bvn, nin, preferredBanks } = body;
  const texts = [accountReference, accountName, customerEmail];
  if (!texts.every((text) => typeof text === 'string' && text !== '') || body['currencyCode'] !== 'NGN') {
    return refusal(400, '99', 'A field is missing');
  }
  if (contractCode !== settings.contractCode) return refusal(404, '99', 'Unknown contract');
  if (!/^[0-9]{11}$/.test(String(bvn ?? nin))) return refusal(422, '99', 'BVN or NIN is required');
  if (reserved.some((one) => one.accountReference === accountReference)) {
    return refusal(422, 'R42', 'You can not reserve two accounts with the same reference');
  }
  const made: MonnifyReserved = {
    accountReference: String(accountReference),
    accountName: String(accountName),
    customerEmail: String(customerEmail),
    bankCode: (preferredBanks as string[])[0] ?? '50515',
    accountNumber: String(6_000_000_001 + reserved.length),
    status: 'ACTIVE',
  };
  reserved.push(made);
  return ok(writeReserved(made));
}

/** What is asked of one reserved account; undefined for another request. */
function aboutReserved({ reserved }: MonnifyState, called: string): Answer | undefined {
  const [, shown] = /^GET \/api\/v2\/bank-transfer\/reserved-accounts\/([^/]+)$/.exec(called) ?? [];
  const [, given] =
    /^DELETE \/api\/v1\/bank-transfer\/reserved-accounts\/reference\/([^/]+)$/.exec(called) ?? [];
  const reference = shown ?? given;
  if (reference === undefined) return undefined;
  const found = reserved.find((one) => one.accountReference === decodeURIComponent(reference));
  if (!found || (given !== undefined && found.status !== 'ACTIVE')) {
    return refusal(404, '99', 'Cannot find reserved account');
  }
  if (given !== undefined) found.status = 'DEALLOCATED';
  return ok(writeReserved(found));
}

runFake(NEW_MONNIFY, (state, asked) => {
  const { called, query, headers, body } = asked;
  if (called === 'POST /api/v1/auth/login') return logIn(state, asked);
  if (headers.authorization !== `Bearer ${TOKEN}${String(state.logins)}`) {
    return { status: 401, body: { error: 'invalid_token' } };
  }
  bookForeign(state);
  moveOn(state);
  const reservation = aboutReserved(state, called);
  const special = reservation ?? aboutIncoming(state, asked) ?? aboutStatement(state, asked);
  if (special) return special;
  switch (called) {
    case `POST ${RESERVED}`:
      return reserve(state, body);
    case 'POST /api/v2/disbursements/single':
      return transfer(state, body);
    case 'GET /api/v2/disbursements/single/summary':
      return summary(state, query.get('reference'));
    case 'GET /api/v1/disbursements/account/validate':
      return name(state, query);
    case 'GET /api/v2/disbursements/wallet-balance':
      return ok({
        availableBalance: state.settings.balance.toFixed(2),
        ledgerBalance: state.settings.balance.toFixed(2),
      });
    case 'GET /api/v1/banks':
      return ok(
        state.settings.banks.map((bank) =>
          typeof bank === 'string' ? { name: `Bank ${bank}`, code: bank } : bank,
        ),
      );
    default:
      return { status: 404, body: { message: 'Not Found' } };
  }
});
