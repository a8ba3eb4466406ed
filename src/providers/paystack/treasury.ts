/**
 * Our money with Paystack: `GET /balance`, `GET /balance/ledger` and `GET /settlement`, as its API reference describes
 * them. A line of the ledger names a transfer by Paystack's number, so the transfers of the same time are read beside it,
 * which have our reference. An answer in another form stops the reading: half a statement proves nothing.
 */
import { z } from 'zod';
import type { CompanySettlement, LineSubject, StatementLine } from '../../domain/statement-lines';
import { pagesOf } from '../lists';
import type { Span, Treasury } from '../port';
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
/** Figures come as numbers, and in some answers as texts of digits. */
const whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?[0-9]{1,15}$/)
    .transform(Number),
]);
/** Rows in another currency, of which nothing else is read. */
const inNaira = (row: unknown): boolean => !otherCurrency.safeParse(row).success;
const otherCurrency = z.object({ currency: z.string().refine((currency) => currency !== NAIRA) });

const lineSchema = z.object({
  id: whole,
  domain: z.string(),
  currency: z.string(),
  difference: whole,
  balance: whole,
  model_responsible: z.string(),
  model_row: whole.nullish(),
  createdAt: timeSchema,
});
const transferSchema = z.object({
  id: whole,
  reference: z.string().nullish(),
  transfer_code: z.string().nullish(),
  session: z.object({ id: z.string().nullish() }).nullish(),
});
type ListedTransfer = z.infer<typeof transferSchema>;
const settlementSchema = z.object({
  id: whole,
  domain: z.string(),
  status: z.string(),
  currency: z.string(),
  total_amount: whole,
  /** What is left after deductions. */
  effective_amount: whole.nullish(),
  settlement_date: timeSchema,
});

export function createPaystackTreasury(
  client: Pick<PaystackClient, 'get'>,
  domain: Domain,
  answersWithinMs: number,
): Treasury {
  async function read<Data>(path: string, schema: z.ZodType<Data>): Promise<Data> {
    const reply = await client.get(path, answersWithinMs);
    const data = schema.safeParse(bodyOf(reply)?.data);
    if (!data.success) throw new Error(`Paystack did not tell ${pathOnly(path)}: ${inShort(reply)}`);
    return data.data;
  }

  /** The rows of a list in naira, page by page. @throws Error for a row in another form: half a statement proves nothing. */
  async function* rowsOf<Row>(
    pathOf: (page: number) => string,
    schema: z.ZodType<Row>,
  ): AsyncGenerator<Row[]> {
    for await (const page of pagesOf('Paystack', (number) => read(pathOf(number), z.array(z.unknown())))) {
      const rows = z.array(schema).safeParse(page.filter(inNaira));
      if (!rows.success)
        throw new Error(`Paystack told ${pathOnly(pathOf(1))} with a row that is not understood`);
      yield rows.data;
    }
  }

  /** The transfers that lines name, by Paystack's number of them. */
  async function transfersOf(
    lines: readonly { at: Date; transfer: number }[],
  ): Promise<Map<number, ListedTransfer>> {
    const found = new Map<number, ListedTransfer>();
    if (lines.length === 0) return found;
    const times = lines.map(({ at }) => at.getTime());
    const span = { from: new Date(Math.min(...times)), to: new Date(Math.max(...times) + SECOND_MS) };
    const listed = pagesOf('Paystack', (page) =>
      read(`/transfer?${queryOf(span, page)}`, z.array(z.unknown())),
    );
    for await (const page of listed) {
      // A row that is not understood may be a transfer of somebody's hand. One that a line names is asked for below.
      for (const row of page) {
        const one = transferSchema.safeParse(row);
        if (one.success) found.set(one.data.id, one.data);
      }
    }
    // The line of a return is later than its transfer.
    for (const { transfer } of lines) {
      if (found.has(transfer)) continue;
      found.set(transfer, await read(`/transfer/${String(transfer)}`, transferSchema));
    }
    return found;
  }

  return {
    balance: async () => readBalance(await client.get('/balance', answersWithinMs)),

    async *lines(span): AsyncGenerator<StatementLine[]> {
      for await (const rows of rowsOf((page) => `/balance/ledger?${queryOf(span, page)}`, lineSchema)) {
        assertOwn(rows, domain);
        const ours = rows.filter(({ createdAt }) => isWithin(span, createdAt));
        const transfers = await transfersOf(
          ours.flatMap(({ createdAt: at, model_responsible: model, model_row: transfer }) =>
            model === 'Transfer' && transfer ? [{ at, transfer }] : [],
          ),
        );
        yield ours.map((line) => lineOf(line, transfers));
      }
    },

    async *settlements(span): AsyncGenerator<CompanySettlement[]> {
      // The settlements of our own account, and not those of subaccounts.
      const pathOf = (page: number): string => `/settlement?subaccount=none&${queryOf(span, page)}`;
      for await (const rows of rowsOf(pathOf, settlementSchema)) {
        assertOwn(rows, domain);
        yield rows
          .filter(({ status, settlement_date: at }) => status === 'success' && isWithin(span, at))
          .map((one) => ({
            id: String(one.id),
            at: one.settlement_date,
            amountKobo: one.effective_amount ?? one.total_amount,
          }));
      }
    },
  };
}

function lineOf(
  line: z.infer<typeof lineSchema>,
  transfers: ReadonlyMap<number, ListedTransfer>,
): StatementLine {
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
