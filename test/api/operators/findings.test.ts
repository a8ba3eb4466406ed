/** Operators list the findings of reconciliation, read them, and close each one once with a note. */
import type { Json } from '../../support/api';
import { apiForFile, operatorForFile, partnerForFile } from '../../support/scene';
import { send } from '../../support/send';
import { recordFindings } from '../../../src/db/reconcile/findings';
import { newId } from '../../../src/db/pg/ids';
import { FINDING_CLASSES, type FindingClass } from '../../../src/domain/findings';
import { REPAIRED_CLASSES } from '../../../src/domain/repairs';
import { SANDBOX_CELL } from '../../setup/cells';

const { world, api } = apiForFile();
const operator = operatorForFile(api);
const partner = partnerForFile(api);

beforeEach(() => world.sql(`DELETE FROM ${SANDBOX_CELL}.recon_findings`));

async function find(of: FindingClass, resource = newId()): Promise<string> {
  const { pool } = api.environments.sandbox;
  await recordFindings(pool, SANDBOX_CELL, [{ class: of, resource, detail: { kobo: 5 } }]);
  const [row] = await world.sql(
    `SELECT id FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1 AND closed_at IS NULL`,
    [resource],
  );
  return row!['id'];
}
const list = async (query = ''): Promise<Json> => (await operator.get(`/ops/sandbox/findings${query}`)).body;
const close = (id: string, body: unknown = { note: 'Booked by hand' }) =>
  operator.post(`/ops/sandbox/findings/${id}/close`, body);

test('every class is listed with its meaning', async () => {
  for (const of of Object.keys(FINDING_CLASSES) as FindingClass[]) await find(of);
  const { data } = await list('?limit=100');
  expect(data.map((one: Json) => [one.class, one.meaning]).sort()).toEqual(
    Object.entries(FINDING_CLASSES).sort(),
  );
});

test('the list has the open findings, newest first, by class, in pages', async () => {
  const ids: string[] = [];
  for (let made = 0; made < 3; made++) ids.push(await find('reversal_missing'));
  await find('fee_mismatch');
  await close(ids.shift()!);
  const first = await list('?class=reversal_missing&limit=1');
  expect(first.data).toMatchObject([
    { id: ids[1], class: 'reversal_missing', detail: { kobo: 5 }, closed_at: null },
  ]);
  const second = await list(`?class=reversal_missing&limit=1&cursor=${first.meta.next_cursor}`);
  expect(second).toMatchObject({ data: [{ id: ids[0] }], meta: { has_more: false } });
  expect((await operator.get('/ops/live/findings')).body.data).toEqual([]);
  expect(await operator.get('/ops/sandbox/findings?class=odd')).toMatchObject({ status: 422 });
});

test.each(REPAIRED_CLASSES)('nobody alone closes %s, because payouts wait while it is open', async (of) => {
  const id = await find(of);
  const refused = await close(id);
  expect(refused).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  expect(refused.body.message).toContain('npm run repair');
  expect((await operator.get(`/ops/sandbox/findings/${id}`)).body.data.closed_at).toBeNull();
});

test('a finding is closed once, by whom and why is kept, and it is found again while its cause is there', async () => {
  const resource = newId();
  const id = await find('entries_missing', resource);
  const answer = await close(id);
  expect(answer.body.data).toMatchObject({
    id,
    closed_at: expect.any(String),
    closed_by: operator.name,
    closed_note: 'Booked by hand',
  });
  expect(await close(id, { note: 'Me too' })).toMatchObject({
    status: 422,
    body: { error: 'INVALID_STATE' },
  });
  expect((await operator.get(`/ops/sandbox/findings/${id}`)).body.data.closed_note).toBe('Booked by hand');
  expect(await find('entries_missing', resource)).not.toBe(id);
});

test('a finding about a bank transfer names each order as its company knows it', async () => {
  const { body } = await partner.post('/v1/transfers/bank', {
    source_wallet: await partner.wallet({ fundKobo: 100_000 }),
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada' },
    amount: 10_000,
    reference: newId(),
  });
  const transfer: string = body.data.id;
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
     VALUES ($1, 1, 'paystack', 'released', 1), ($1, 2, 'monnify', 'sending', 1)`,
    [transfer],
  );
  const orders = [
    { provider: 'paystack', reference: `tx-${transfer}-1`, state: 'released' },
    { provider: 'monnify', reference: `tx-${transfer}-2`, state: 'sending' },
  ];
  const id = await find('processing_too_long', transfer);
  expect((await list('?class=processing_too_long')).data).toMatchObject([{ id, orders }]);
  expect((await operator.get(`/ops/sandbox/findings/${id}`)).body.data).toMatchObject({ orders });
  expect((await close(id)).body.data).toMatchObject({ orders });
  const other = await find('line_unmatched', 'paystack/2026-11-25/line 1');
  expect((await operator.get(`/ops/sandbox/findings/${other}`)).body.data).toMatchObject({ orders: [] });
});

test('an absent finding or one of the other environment is not found; closing one needs a note', async () => {
  const id = await find('chain_broken');
  expect(await close(newId())).toMatchObject({ status: 404 });
  expect(await close('x')).toMatchObject({ status: 404 });
  expect(await operator.get(`/ops/live/findings/${id}`)).toMatchObject({ status: 404 });
  expect(await close(id, {})).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
});

test('the metrics count the open findings, by class', async () => {
  await find('event_missing');
  const fresh = await world.startApi();
  const { text } = await send(`http://127.0.0.1:${fresh.operatorPort}/metrics`, 'GET');
  expect(text).toContain(
    `recon_breaks_open{environment="sandbox",cell="${SANDBOX_CELL}",class="event_missing"} 1`,
  );
  expect(text).toContain(
    `recon_breaks_open{environment="sandbox",cell="${SANDBOX_CELL}",class="chain_broken"} 0`,
  );
});
