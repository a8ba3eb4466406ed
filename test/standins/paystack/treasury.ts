/**
 * The lists of the fake Paystack: `GET /balance`, `GET /balance/ledger`, `GET /transfer`, `GET /transfer/:id` and
 * `GET /settlement`, the newest first, with the pages and the `meta` of Paystack's API reference.
 */
import type { Answer } from './fake-paystack';
import type { FakeState, FakeTransfer } from './state';

const PER_PAGE = 50;

const stamp = (ms: number): string => new Date(ms).toISOString();

/** @returns answers one request; null where it asks for none of these lists. */
export function createLists(
  now: FakeState,
  domain: () => string,
  show: (transfer: FakeTransfer) => object,
): (called: string, query: URLSearchParams) => Answer | null {
  const ok = (message: string, data: object, meta?: object): Answer => ({
    status: 200,
    body: { status: true, message, data, ...(meta && { meta }) },
  });

  function list<Item>(
    message: string,
    query: URLSearchParams,
    items: readonly Item[],
    atMs: (item: Item) => number,
    write: (item: Item) => object,
  ): Answer {
    const perPage = Number(query.get('perPage') ?? PER_PAGE);
    const page = Number(query.get('page') ?? 1);
    const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
    const found = items.filter((item) => !(atMs(item) < from!) && !(atMs(item) > to!)).reverse();
    const skipped = (page - 1) * perPage;
    const pageCount = Math.max(1, Math.ceil(found.length / perPage));
    const meta = { total: found.length, skipped, perPage, page, pageCount };
    return ok(message, found.slice(skipped, skipped + perPage).map(write), meta);
  }

  return (called, query) => {
    const [, id] = /^GET \/transfer\/(\d+)$/.exec(called) ?? [];
    if (id !== undefined) {
      const found = now.transfers.find((one) => one.id === Number(id));
      return found ? ok('Transfer retrieved', show(found)) : null;
    }
    switch (called) {
      case 'GET /balance':
        return ok('Balances retrieved', [
          { currency: 'GHS', balance: 0 },
          { currency: 'NGN', balance: now.settings.balanceKobo },
        ]);
      case 'GET /balance/ledger':
        return list(
          'Balance ledger retrieved',
          query,
          now.ledger,
          ({ atMs }) => atMs,
          (line) => ({
            integration: 100_073,
            domain: domain(),
            balance: line.balanceKobo,
            currency: 'NGN',
            difference: line.differenceKobo,
            reason: '',
            model_responsible: line.model,
            model_row: line.row,
            id: line.id,
            createdAt: stamp(line.atMs),
            updatedAt: stamp(line.atMs),
          }),
        );
      case 'GET /transfer':
        return list('Transfers retrieved', query, now.transfers, ({ bookedAtMs }) => bookedAtMs, show);
      case 'GET /settlement':
        return list(
          'Settlements retrieved',
          query,
          now.settlements,
          ({ atMs }) => atMs,
          (one) => ({
            id: one.id,
            domain: domain(),
            status: one.status,
            currency: 'NGN',
            integration: 100_073,
            total_amount: one.totalKobo,
            effective_amount: one.effectiveKobo ?? one.totalKobo,
            total_fees: 0,
            total_processed: one.totalKobo,
            deductions: null,
            settlement_date: stamp(one.atMs),
            settled_by: null,
            createdAt: stamp(one.atMs),
            updatedAt: stamp(one.atMs),
          }),
        );
      default:
        return null;
    }
  };
}
