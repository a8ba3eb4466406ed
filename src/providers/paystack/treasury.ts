/**
 * Our money with Paystack: `GET /balance`, `GET /balance/ledger` and `GET /settlement`, as its API reference describes
 * them. A line of the ledger names a transfer by Paystack's number, so the transfers of the same time are read beside it,
 * which have our reference. An answer in another form stops the reading: half a statement proves nothing.
 */
import { z } from 'zod';
import type { CompanySettlement, LineSubject, StatementLine } from '../../domain/statement-lines';
import type { Page, Span, Treasury } from '../port';
import { readBalance, type Domain } from './answers';
import type { PaystackClient, PaystackReply } from './client';

const PER_PAGE = 50;
/** Paystack takes `to` by the second; what is later than asked for is left out here. */
const SECOND_MS = 1_000;
const NAIRA = 'NGN';

/** What the ledger says is responsible for a line. What it may say beside these is not documented. */
const SUBJECTS: ReadonlyMap<string, LineSubject> = new Map([
  ['Transfer', 'payout'],
  ['Transaction', 'inbound'],
  ['Refund', 'refund'],
]);

const timeSchema = z.iso.datetime().transform((text) => new Date(text));
const ledgerSchema = z.array(
  z.object({
    id: z.int(),
    domain: z.string(),
    currency: z.string(),
    difference: z.int(),
    balance: z.int(),
    model_responsible: z.string(),
    model_row: z.int().nullish(),
    createdAt: timeSchema,
  }),
);
const transferSchema = z.object({
  id: z.int(),
  reference: z.string().nullish(),
  transfer_code: z.string().nullish(),
  session: z.object({ id: z.string().nullish() }).nullish(),
});
type ListedTransfer = z.infer<typeof transferSchema>;
const settlementsSchema = z.array(
  z.object({
    id: z.int(),
    domain: z.string(),
    status: z.string(),
    currency: z.string(),
    total_amount: z.int(),
    /** What is left after deductions. */
    effective_amount: z.int().nullish(),
    settlement_date: timeSchema,
  }),
);

export function createPaystackTreasury(
  client: Pick<PaystackClient, 'get'>,
  domain: Domain,
  answersWithinMs: number,
): Treasury {
  async function read<Data>(path: string, schema: z.ZodType<Data>): Promise<{ data: Data; pages: number }> {
    const reply = await client.get(path, answersWithinMs);
    const data = schema.safeParse(bodyOf(reply)?.data);
    if (!data.success) throw new Error(`Paystack did not tell ${pathOnly(path)}: ${inShort(reply)}`);
    return { data: data.data, pages: bodyOf(reply)?.meta?.pageCount ?? 1 };
  }

  /** The transfers that lines name, by Paystack's number of them. */
  async function transfersOf(
    lines: readonly { at: Date; transfer: number }[],
  ): Promise<Map<number, ListedTransfer>> {
    const found = new Map<number, ListedTransfer>();
    if (lines.length === 0) return found;
    const times = lines.map(({ at }) => at.getTime());
    const span = { from: new Date(Math.min(...times)), to: new Date(Math.max(...times) + SECOND_MS) };
    for (let page = 1, pages = 1; page <= pages; page++) {
      const listed = await read(`/transfer?${queryOf(span, page)}`, z.array(transferSchema));
      for (const one of listed.data) found.set(one.id, one);
      pages = listed.pages;
    }
    // The line of a return is later than its transfer.
    for (const { transfer } of lines) {
      if (found.has(transfer)) continue;
      found.set(transfer, (await read(`/transfer/${String(transfer)}`, transferSchema)).data);
    }
    return found;
  }

  return {
    balance: async () => readBalance(await client.get('/balance', answersWithinMs)),

    async lines(span, page): Promise<Page<StatementLine>> {
      const number = Number(page ?? 1);
      const { data, pages } = await read(`/balance/ledger?${queryOf(span, number)}`, ledgerSchema);
      assertOwn(data, domain);
      const ours = data.filter(({ createdAt, currency }) => currency === NAIRA && isWithin(span, createdAt));
      const transfers = await transfersOf(
        ours.flatMap(({ createdAt: at, model_responsible: model, model_row: transfer }) =>
          model === 'Transfer' && transfer ? [{ at, transfer }] : [],
        ),
      );
      const items = ours.map((line): StatementLine => {
        const about = SUBJECTS.get(line.model_responsible) ?? 'other';
        const transfer = about === 'payout' ? transfers.get(line.model_row ?? 0) : undefined;
        return {
          id: String(line.id),
          at: line.createdAt,
          about,
          changeKobo: line.difference,
          balanceKobo: line.balance,
          reference: transfer?.reference ?? null,
          providerRef: transfer?.transfer_code ?? line.model_row?.toString() ?? null,
          sessionId: transfer?.session?.id ?? null,
        };
      });
      return { items, next: number < pages ? String(number + 1) : null };
    },

    async settlements(span, page): Promise<Page<CompanySettlement>> {
      const number = Number(page ?? 1);
      // The settlements of our own account, and not those of subaccounts.
      const path = `/settlement?subaccount=none&${queryOf(span, number)}`;
      const { data, pages } = await read(path, settlementsSchema);
      assertOwn(data, domain);
      const items = data
        .filter(({ status, currency }) => status === 'success' && currency === NAIRA)
        .filter(({ settlement_date: at }) => isWithin(span, at))
        .map((one) => ({
          id: String(one.id),
          at: one.settlement_date,
          amountKobo: one.effective_amount ?? one.total_amount,
        }));
      return { items, next: number < pages ? String(number + 1) : null };
    },
  };
}

const queryOf = ({ from, to }: Span, page: number): string =>
  new URLSearchParams({
    perPage: String(PER_PAGE),
    page: String(page),
    from: from.toISOString(),
    to: to.toISOString(),
  }).toString();

const isWithin = ({ from, to }: Span, at: Date): boolean => at >= from && at < to;

/** A key of one world must never hear of the money of the other. */
function assertOwn(rows: readonly { domain: string }[], domain: Domain): void {
  if (rows.some((row) => row.domain !== domain)) throw new Error('Paystack told money of another world');
}

const bodyOf = (reply: PaystackReply) =>
  reply.kind === 'answered' && reply.status === 200 && reply.body?.status ? reply.body : null;
const inShort = (reply: PaystackReply): string =>
  reply.kind === 'answered' ? `HTTP ${String(reply.status)}` : reply.cause;
const pathOnly = (path: string): string => path.split('?')[0] ?? path;
