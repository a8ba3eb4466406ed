/** The stream of events over processes that end: by SIGTERM, which says goodbye, and by SIGKILL, which does not (D201). */
import { startChild, type Child } from '../support/children';
import { listen } from '../support/event-stream';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { TEST_SETTINGS } from '../support/settings';
import { until } from '../support/until';
import { TEST_CELLS } from '../setup/cells';

const { world, api } = apiForFile();

let child: Child;
let partner: TestPartner;
let wallet: string;
beforeEach(async () => {
  partner = await api.partner();
  wallet = await partner.wallet();
  child = await startChild('api', {
    ...TEST_SETTINGS,
    DATABASE_URL: world.databaseUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    DRAIN_NOTICE_MS: '0',
  });
});
afterEach(() => child.kill());

const fund = async (): Promise<string> =>
  (await partner.post(`/v1/sandbox/wallets/${wallet}/fund`, { amount_kobo: 100 })).body.transaction_id;

test.each<['SIGKILL' | 'SIGTERM', last: string]>([
  ['SIGKILL', 'transaction.completed'],
  ['SIGTERM', 'bye'],
])('after %s another process goes on, and nothing is missing', async (signal, last) => {
  const query = '?events=transaction.completed';
  const first = await listen(child.port, partner.key, { query });
  await until('ready', () => first.messages[0]);
  const made: string[] = [];
  const paying = (async () => {
    for (let count = 0; count < 100; count++) made.push(await fund());
  })();
  await until('some events', () => first.events().length > 10);
  const endsAt = performance.now();
  child.signal(signal);
  await until('the end of the stream', () => first.isOver());
  expect(first.messages.at(-1)!.event).toBe(last);
  await child.ended;
  // The server waits ten seconds for what does not end by itself.
  expect(performance.now() - endsAt).toBeLessThan(8_000);
  await paying;
  const second = await listen(api.port, partner.key, { query, lastEventId: first.lastId()! });
  const seen = (): Set<string> =>
    new Set([...first.events(), ...second.events()].map(({ data }) => data.data.id));
  await until('all of them', () => seen().size >= 100);
  expect([...seen()].sort()).toEqual(made.sort());
  second.close();
});
