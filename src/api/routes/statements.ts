/** The statement of a wallet, made while its caller reads it (D196). */
import { Readable } from 'node:stream';
import { findBalanceAt } from '../../db/ledger/entries';
import { findWallet } from '../../db/wallets/wallets';
import { PDF_ENTRIES_MAX, STATEMENT_ENTRIES_MAX, type StatementEntry } from '../../domain/entries';
import { entriesWithParties } from '../../operations/money/statement-parties';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import type { Wallet } from '../../domain/wallets';
import { canonicalId } from '../../wire/ids';
import { readPeriod } from '../../wire/pages';
import { statementAnswer, statementQuery, TEXT_FORMATS, type Statement } from '../../wire/statements';
import { createPlaces } from '../places';
import { reading, type Call, type LongAnswer, type Route } from '../route';

/** The statements as text that a process writes at once. They take little time between two pages of entries. */
const TEXTS = createPlaces('statements', { ofPartner: 2, ofAll: 16 });
const said = (entries: number): string => entries.toLocaleString('en');

const get = reading({
  method: 'GET',
  path: '/v1/wallets/:id/statement',
  operation: 'getWalletStatement',
  needs: 'look',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.statement',
    summary: "Get a wallet's statement",
    description:
      'The entries of a period, oldest first, between the balances before and after it. Without `from` it begins with the ' +
      'wallet, without `to` it ends now. The last ten seconds may still change, because a payment gets its time before it is ' +
      `committed. At most ${said(STATEMENT_ENTRIES_MAX)} entries, ${said(PDF_ENTRIES_MAX)} as PDF; two at once, and one as PDF.`,
    query: statementQuery,
    answer: {
      status: 200,
      description: 'The statement. An answer that ends early is cut off, and not a shorter statement',
      body: statementAnswer,
      others: ['text/csv', 'application/pdf'],
    },
    refusals: [],
  },
  async handle(call) {
    const during = readPeriod(call.query);
    if (!during.ok) return during;
    const now = new Date();
    const to = during.value.to ?? now;
    if (to > now) return refuseFields({ field: 'to', message: 'must not be in the future' });
    const id = canonicalId(call.params.id ?? '', 'wallet');
    const wallet = id && (await findWallet(call.cell, call.partner.id, id));
    if (!wallet) return refuse('NOT_FOUND');
    const from = during.value.from ?? (wallet.createdAt < to ? wallet.createdAt : to);
    if (from > now) return refuseFields({ field: 'from', message: 'must not be in the future' });
    // The later balance is read later, so that it knows of every entry that the earlier one knows.
    const opening = await findBalanceAt(call.cell, wallet.id, justBefore(from));
    const closing = await findBalanceAt(call.cell, wallet.id, justBefore(to));
    const entries = closing.sequence - opening.sequence;
    const { format } = call.query;
    const most = format === 'pdf' ? PDF_ENTRIES_MAX : STATEMENT_ENTRIES_MAX;
    if (entries > most)
      return refuseFields({ field: 'from', message: `must leave at most ${said(most)} entries` });
    const place = (format === 'pdf' ? call.services.drawings : TEXTS).take(call.partner.id);
    if (!place.ok) return place;
    const batches = entriesWithParties(call, wallet.id, {
      after: opening.sequence,
      until: closing.sequence,
    });
    const statement = { walletId: wallet.id, from, to, opening, closing };
    if (format === 'pdf') return drawn(call, { statement, wallet }, batches, place.value);
    const body = Readable.from(TEXT_FORMATS[format].write(statement, batches, call.requestId), {
      highWaterMark: 1,
    });
    body.once('close', place.value);
    return done({ status: 200, body, headers: TEXT_FORMATS[format].headers(wallet.id) });
  },
});

/**
 * A PDF is drawn in a thread, and then sent whole: a caller that reads slowly holds its place, and no thread.
 * @param release gives the place back.
 */
async function drawn(
  { services, partner, gone }: Call,
  { statement, wallet }: { statement: Statement; wallet: Wallet },
  batches: AsyncIterable<StatementEntry[]>,
  release: () => void,
): Promise<Outcome<LongAnswer>> {
  try {
    const bytes = await services.drawingThreads.run(
      partner.id,
      'drawStatement',
      { statement, businessName: partner.businessName, wallet },
      { signal: gone(), parts: batches },
    );
    const body = Readable.from([Buffer.from(bytes.buffer)]);
    body.once('close', release);
    return done({ status: 200, body, headers: pdfHeaders(wallet.id, bytes.length) });
  } catch (error) {
    release();
    throw error;
  }
}

const pdfHeaders = (walletId: string, bytes: number) => ({
  'Content-Type': 'application/pdf',
  'Content-Length': String(bytes),
  'Content-Disposition': `attachment; filename="statement-${walletId}.pdf"`,
});

/** The last millisecond before a time: an entry of the time itself comes after it. */
const justBefore = (time: Date): Date => new Date(time.getTime() - 1);

export const statementRoutes: readonly Route[] = [get];
