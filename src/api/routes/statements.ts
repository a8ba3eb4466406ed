/** The statement of a wallet, made while its caller reads it (D196). */
import { Readable } from 'node:stream';
import { findBalanceAt } from '../../db/ledger/entries';
import { findWallet } from '../../db/wallets/wallets';
import { PDF_ENTRIES_MAX, STATEMENT_ENTRIES_MAX } from '../../domain/entries';
import { entriesWithParties } from '../../operations/money/statement-parties';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import { canonicalId } from '../../wire/ids';
import { readPeriod } from '../../wire/pages';
import { statementAnswer, statementQuery, TEXT_FORMATS } from '../../wire/statements';
import { reading, type Route } from '../route';
import { drawStatement } from '../statement-pdf';

/** How many statements a process makes at once: for one partner, and for all. */
const AT_ONCE_OF_PARTNER = 2;
const AT_ONCE = 16;
const AGAIN_IN_SECONDS = 5;
const said = (entries: number): string => entries.toLocaleString('en');

/** The partners for which a statement is being made, once for each. */
const underWay: string[] = [];

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
      `committed. At most ${said(STATEMENT_ENTRIES_MAX)} entries, ${said(PDF_ENTRIES_MAX)} as PDF, and two statements at once.`,
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
    const busy = takeTurn(call.partner.id);
    if (!busy.ok) return busy;
    const batches = entriesWithParties(call, wallet.id, {
      after: opening.sequence,
      until: closing.sequence,
    });
    const statement = { walletId: wallet.id, from, to, opening, closing };
    const parts =
      format === 'pdf'
        ? drawStatement(statement, batches, { businessName: call.partner.businessName, wallet })
        : TEXT_FORMATS[format].write(statement, batches, call.requestId);
    const headers = format === 'pdf' ? pdfHeaders(wallet.id) : TEXT_FORMATS[format].headers(wallet.id);
    const body = Readable.from(parts, { highWaterMark: 1 });
    body.once('close', busy.value);
    return done({ status: 200, body, headers });
  },
});

const pdfHeaders = (walletId: string) => ({
  'Content-Type': 'application/pdf',
  'Content-Disposition': `attachment; filename="statement-${walletId}.pdf"`,
});

/** The last millisecond before a time: an entry of the time itself comes after it. */
const justBefore = (time: Date): Date => new Date(time.getTime() - 1);

/** @returns what ends the turn; or RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when too many statements are being made. */
function takeTurn(partnerId: string): Outcome<() => void> {
  const ofPartner = underWay.filter((one) => one === partnerId).length;
  if (ofPartner >= AT_ONCE_OF_PARTNER) {
    return refuse('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: AGAIN_IN_SECONDS });
  }
  if (underWay.length >= AT_ONCE) return refuse('SERVICE_UNAVAILABLE');
  underWay.push(partnerId);
  return done(() => void underWay.splice(underWay.indexOf(partnerId), 1));
}

export const statementRoutes: readonly Route[] = [get];
