/** The rate limit: exact over all instances (interface: Limits; D121, D122, D141, D150, R26). */
import { openWorld, type Answer, type TestApi, type World } from '../support/api';
import type { TestPartner } from '../support/partners';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let world: World;
let apis: [TestApi, TestApi];
beforeAll(async () => {
  world = await openWorld();
  // An empty variable counts as not set, so the published 300 applies.
  const published = { RATE_LIMIT_STARTER: '' };
  apis = [await world.startApi(published), await world.startApi(published)];
});
afterAll(() => world.close());

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const rates = ({ headers }: Answer) => RATE_HEADERS.map((name) => Number(headers.get(name)));

/** Waits until the window that all partners share is long enough for a test. */
async function roomInWindow(seconds: number): Promise<void> {
  await until('a window with room', async () => {
    const rows = await world.sql('SELECT 60 - extract(second FROM clock_timestamp()) AS left');
    return Number(rows[0]?.['left']) > seconds;
  });
}

const callAt = (partner: TestPartner, index: number) =>
  partner.at(apis[index % 2] as TestApi).get('/v1/webhooks');

test('every answer says the limit, what remains and when the window ends', async () => {
  await roomInWindow(5);
  const partner = await apis[0].partner();
  const answers = [await callAt(partner, 0), await callAt(partner, 1), await partner.get('/v1/nothing')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(answers.map((answer) => rates(answer).slice(0, 2))).toEqual([
    [300, 299],
    [300, 298],
    [300, 297],
  ]);
  for (const answer of answers) {
    const reset = rates(answer)[2]!;
    expect(Number.isInteger(reset) && reset >= 1 && reset <= 60).toBe(true);
    expect(answer.headers.get('Retry-After')).toBeNull();
  }
});

test('of 310 calls in a minute over two instances 300 pass and 10 are 429', async () => {
  await roomInWindow(12);
  const [partner, other] = [await apis[0].partner(), await apis[0].partner()];
  const answers: Answer[] = [];
  for (let round = 0; round < 10; round += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 31 }, (_, index) => callAt(partner, index)))));
  }
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(10);
  const passed = answers.filter(({ status }) => status === 200).map((answer) => rates(answer)[1]);
  expect(passed.sort((one, next) => one! - next!)).toEqual(Array.from({ length: 300 }, (_, index) => index));

  for (const answer of refused) {
    const [limit, remaining, reset] = rates(answer);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: 'RATE_LIMIT_EXCEEDED',
      message: expect.any(String),
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect([limit, remaining]).toEqual([300, 0]);
    expect(Number(answer.headers.get('Retry-After'))).toBe(reset);
    expect(reset).toBeGreaterThanOrEqual(1);
  }

  // The limit is checked before the body, and the answer has the guide's envelope when the header asks for it.
  const guide = await partner.post('/v1/wallets', '{', { 'X-Response-Form': 'guide' });
  expect(guide.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', http_status: 429 });
  expect((await callAt(other, 1)).status).toBe(200);
  const live = await apis[0].partner({ id: partner.id, environment: 'live' });
  expect((await live.get('/v1/webhooks')).status).toBe(200);
  expect((await apis[0].call('GET', '/health')).status).toBe(200);
});

test.each([
  ['starter', 300],
  ['growth', 1_200],
  ['scale', 6_000],
])('a partner of tier %s has %d a minute', async (tier, limit) => {
  const partner = await apis[0].partner();
  await world.sql('UPDATE platform.partners SET tier = $2 WHERE id = $1', [partner.id, tier]);
  expect(rates(await callAt(partner, 0))[0]).toBe(limit);
});

test('the whole limit is there again when a new window begins', async () => {
  const partner = await apis[0].partner();
  await callAt(partner, 0);
  await world.sql(
    `UPDATE ${SANDBOX_CELL}.rate_windows SET used = 300, window_start = window_start - interval '1 minute'
      WHERE partner_id = $1`,
    [partner.id],
  );
  const answer = await callAt(partner, 0);
  expect(answer.status).toBe(200);
  expect(rates(answer)[1]).toBe(299);
});
