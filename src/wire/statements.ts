/** Statements: the entries of a wallet in a period, between the balances before and after it (D196). */
import { z } from 'zod';
import { CURRENCY, nairaText } from '../domain/money';
import { feeText, linesOf, type StatementLineShown } from '../domain/counterparties';
import type { BalanceAfter, StatementEntry } from '../domain/entries';
import { kobo, meta, timestamp, transactionType, uuid } from './answers';
import { CSV_MARK, csvLine, guarded } from './csv';
import { currency, PERSONAL } from './fields';
import { period } from './pages';
import { entrySchema, writeEntry } from './wallets';
import { publishedType } from '../domain/transaction-types';

const FORMATS = ['json', 'csv', 'pdf'] as const;
type TextFormat = Exclude<(typeof FORMATS)[number], 'pdf'>;

export const statementQuery = z.object({
  ...period,
  format: z
    .enum(FORMATS, `must be of: ${FORMATS.join(', ')}`)
    .default('json')
    .meta({
      description: '`csv` for spreadsheets: amounts in naira, and a line for each balance; `pdf` for people',
    }),
});

const statementEntry = entrySchema
  .omit({ metadata: true, wallet_id: true })
  .extend({
    type: transactionType,
    reference: z.string(),
    fee: z.int().meta({
      description: 'In kobo: the fee and its VAT within the amount; below 0 where a fee comes back',
    }),
    counterparty: z
      .object({
        name: z.string().nullable().meta(PERSONAL),
        bank_name: z.string().nullable(),
        account_number: z
          .string()
          .nullable()
          .meta({ ...PERSONAL, description: 'All but the last four digits are hidden' }),
      })
      .nullable()
      .meta({
        id: 'Counterparty',
        description: 'Who paid, or was paid; null where that is not known, as of a funding of the sandbox',
      }),
  })
  .meta({ id: 'StatementEntry' });

const statement = z
  .object({
    wallet_id: uuid,
    from: timestamp,
    to: timestamp,
    currency,
    opening_balance: kobo.meta({ description: 'In kobo, before the first entry' }),
    closing_balance: kobo.meta({ description: 'In kobo, after the last entry' }),
    entry_count: z.int().min(0),
    entries: z.array(statementEntry).meta({ description: 'Oldest first, by `sequence`' }),
    total_credit: kobo,
    total_debit: kobo,
  })
  .meta({ id: 'Statement' });

export const statementAnswer = z.object({ data: statement, meta });

/** A statement without its entries. */
export interface Statement {
  walletId: string;
  from: Date;
  to: Date;
  opening: BalanceAfter;
  closing: BalanceAfter;
}

type Batches = AsyncIterable<StatementEntry[]>;

/** How a statement is sent in each format; the text is made part by part, as the entries come. */
export const TEXT_FORMATS: Record<
  TextFormat,
  {
    write: (statement: Statement, batches: Batches, requestId: string) => AsyncGenerator<string>;
    headers: (walletId: string) => Record<string, string>;
  }
> = {
  json: { write: writeJson, headers: () => ({ 'Content-Type': 'application/json; charset=utf-8' }) },
  csv: {
    write: writeCsv,
    headers: (walletId) => ({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="statement-${walletId}.csv"`,
    }),
  },
};

async function* writeJson(
  { walletId, from, to, opening, closing }: Statement,
  batches: Batches,
  requestId: string,
): AsyncGenerator<string> {
  const head = {
    wallet_id: walletId,
    from: from.toISOString(),
    to: to.toISOString(),
    currency: CURRENCY,
    opening_balance: opening.balanceKobo,
    closing_balance: closing.balanceKobo,
    entry_count: closing.sequence - opening.sequence,
  };
  yield `{"data":${JSON.stringify(head).slice(0, -1)},"entries":[`;
  const totals = { total_credit: 0, total_debit: 0 };
  let separator = '';
  for await (const entries of batches) {
    for (const { amountKobo } of entries) {
      if (amountKobo > 0) totals.total_credit += amountKobo;
      else totals.total_debit -= amountKobo;
    }
    yield separator + entries.map((entry) => JSON.stringify(writeStatementEntry(entry))).join(',');
    separator = ',';
  }
  yield `],${JSON.stringify(totals).slice(1)},"meta":${JSON.stringify({ request_id: requestId })}}`;
}

function writeStatementEntry(entry: StatementEntry): z.infer<typeof statementEntry> {
  const { metadata: _metadata, wallet_id: _walletId, ...written } = writeEntry(entry);
  const { type, reference, feeKobo, counterparty } = entry;
  return {
    ...written,
    type: publishedType(type),
    reference,
    fee: feeKobo,
    counterparty: counterparty && {
      name: counterparty.name,
      bank_name: counterparty.bankName,
      account_number: counterparty.accountNumber,
    },
  };
}

const COLUMNS = [
  'sequence',
  'created_at',
  'transaction_id',
  'type',
  'reference',
  'description',
  'debit_naira',
  'credit_naira',
  'balance_naira',
  'counterparty_name',
  'counterparty_bank',
  'counterparty_account',
];

async function* writeCsv(
  { from, to, opening, closing }: Statement,
  batches: Batches,
): AsyncGenerator<string> {
  const balance = (type: string, at: Date, kobo: number): string =>
    csvLine(['', at.toISOString(), '', type, '', '', '', '', nairaText(kobo), '', '', '']);
  yield CSV_MARK + csvLine(COLUMNS) + balance('opening_balance', from, opening.balanceKobo);
  for await (const entries of batches) yield entries.flatMap(linesOf).map(lineOf).join('');
  yield balance('closing_balance', to, closing.balanceKobo);
}

function lineOf(shown: StatementLineShown): string {
  const { entry, about, amountKobo, balanceAfterKobo } = shown;
  const isFee = about === 'fee';
  const who = isFee ? null : entry.counterparty;
  return csvLine([
    String(entry.sequence),
    entry.createdAt.toISOString(),
    entry.transactionId,
    isFee ? 'fee' : entry.type,
    guarded(entry.reference),
    isFee ? feeText(shown) : guarded(entry.description),
    amountKobo < 0 ? nairaText(-amountKobo) : '',
    amountKobo > 0 ? nairaText(amountKobo) : '',
    nairaText(balanceAfterKobo),
    guarded(who?.name ?? ''),
    guarded(who?.bankName ?? ''),
    who?.accountNumber ?? '',
  ]);
}
