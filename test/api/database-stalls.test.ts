/**
 * Postgres is there and silent, as behind a network that swallows every packet: every answer comes in time, and
 * afterwards everything works again without a restart (G29).
 */
import { randomUUID } from 'node:crypto';
import { auditCell } from '../support/audit';
import { expectOutage } from '../support/outage';
import { openWorld, type World } from '../support/api';
import { openPostgresProxy } from '../support/proxy';
import type { Answer } from '../support/send';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const STALL_MS = 5_000;
const ANSWER_WITHIN_MS = 4_000;
const HEALED_WITHIN_MS = 5_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('a Postgres that is silent for five seconds: answers within four, and all is well five seconds later', async () => {
  const { url, proxy } = await openPostgresProxy(world.databaseUrl);
  // A fresh connection has as long as published: other tests give it more time, because they are busy.
  const api = await world.startApi({ DATABASE_URL: url, DATABASE_CONNECT_MS: '1000' });
  const partner = await api.partner();
  const [source, dest] = [await partner.wallet({ fundKobo: 1_000_000 }), await partner.wallet()];
  const pay = (reference: string) =>
    partner.post('/v1/transfers/p2p', { source_wallet: source, dest_wallet: dest, amount: 100, reference });
  expect((await pay(randomUUID())).status).toBe(200);

  proxy.setMood('hold');
  const until5s = Date.now() + STALL_MS;
  const references: string[] = [];
  const answers: { answer: Answer; tookMs: number }[] = [];
  while (Date.now() < until5s) {
    const reference = randomUUID();
    references.push(reference);
    const askedAt = performance.now();
    const asked = await Promise.all([pay(reference), partner.get(`/v1/wallets/${source}`)]);
    const tookMs = performance.now() - askedAt;
    answers.push(...asked.map((answer) => ({ answer, tookMs })));
  }
  proxy.setMood('pass');
  const healed = performance.now();
  for (const { answer, tookMs } of answers) {
    expectOutage(answer);
    expect(tookMs).toBeLessThan(ANSWER_WITHIN_MS);
  }

  await until('a payment', async () => (await pay(randomUUID())).status === 200);
  await until(
    'an answer with the wallet',
    async () => (await partner.get(`/v1/wallets/${source}`)).status === 200,
  );
  expect(performance.now() - healed).toBeLessThan(HEALED_WITHIN_MS);

  // What was answered 503 is repeated by its caller, and has happened once.
  for (const reference of references) expect((await pay(reference)).status).toBe(200);
  const rows = await world.sql(
    `SELECT reference, count(*)::int AS times FROM ${SANDBOX_CELL}.transactions
      WHERE reference = ANY($1) GROUP BY reference`,
    [references],
  );
  expect(rows.map(({ times }) => times)).toEqual(references.map(() => 1));
  expect(await auditCell(world.databaseUrl, SANDBOX_CELL)).toEqual([]);
  proxy.close();
});
