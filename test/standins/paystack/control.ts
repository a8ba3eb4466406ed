/**
 * The control port of the fake Paystack.
 *
 * - `GET /` gives its whole state.
 * - `PUT /settings` with a part of the settings changes them (`FakeSettings` in `state.ts`). Another `balanceKobo` is money
 *   that somebody has sent to the balance or taken from it, and has its line in the ledger.
 * - `PUT /transfers/<reference>` with `{ "status": ... }` changes a transfer, for example to `reversed`.
 * - `PUT /incoming/<reference>` with a part of a payment (`FakeTransaction`) has money come in, or changes that payment. A
 *   new one is told by `charge.success`, unless its status is another one than `success`.
 * - `PUT /returns/<reference>` gives a payment back to its payer, as after a claim of the payer's bank, with its events.
 * - `PUT /refunds/<id>` with `{ "status": ... }` changes a refund, and sends its event.
 * - `PUT /ledger` with `{ "model": ..., "row": ..., "differenceKobo": ..., "atMs": ... }` books a line.
 * - `PUT /settlements` with `{ "totalKobo": ..., "atMs": ... }` adds a settlement (`FakeSettlement`).
 * - `PUT /events/<reference>` with `{ "event": ... }` sends an event about a transfer or a payment, whether it is true or not.
 */
import { text } from 'node:stream/consumers';
import type { RequestListener } from 'node:http';
import type { FakePaystackServer } from './fake-paystack';
import type { FakeLine, FakeSettings, FakeSettlement, FakeTransaction, OpenState } from './state';

export function createControl(
  { now, book, save }: OpenState,
  { tell, receive, takeBack, turnRefund }: Omit<FakePaystackServer, 'serve'>,
): RequestListener {
  return (request, response) => {
    void (async () => {
      const body = await text(request);
      const [, thing, reference] = (request.url ?? '').split('/');
      if (request.method === 'PUT' && thing === 'settings') {
        const { balanceKobo, ...settings } = JSON.parse(body) as Partial<FakeSettings>;
        const differenceKobo = (balanceKobo ?? now.settings.balanceKobo) - now.settings.balanceKobo;
        if (differenceKobo !== 0) book({ model: 'Balance', row: null, differenceKobo });
        Object.assign(now.settings, settings);
        save();
      } else if (request.method === 'PUT' && thing === 'ledger') {
        book(JSON.parse(body) as FakeLine);
        save();
      } else if (request.method === 'PUT' && thing === 'settlements') {
        const asked = JSON.parse(body) as Pick<FakeSettlement, 'totalKobo' | 'atMs'> &
          Partial<FakeSettlement>;
        now.settlements.push({ id: now.nextId++, status: 'success', effectiveKobo: null, ...asked });
        save();
      } else if (request.method === 'PUT' && thing === 'transfers') {
        const transfer = now.transfers.find((one) => one.reference === reference);
        if (transfer) transfer.status = (JSON.parse(body) as { status: string }).status;
        save();
      } else if (request.method === 'PUT' && thing === 'incoming' && reference !== undefined) {
        receive(decodeURIComponent(reference), JSON.parse(body) as Partial<FakeTransaction>);
      } else if (request.method === 'PUT' && thing === 'returns' && reference !== undefined) {
        takeBack(decodeURIComponent(reference));
      } else if (request.method === 'PUT' && thing === 'refunds') {
        turnRefund(Number(reference), (JSON.parse(body) as { status: string }).status);
      } else if (request.method === 'PUT' && thing === 'events' && reference !== undefined) {
        tell((JSON.parse(body) as { event: string }).event, reference);
      }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(now));
    })();
  };
}
