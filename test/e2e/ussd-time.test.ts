/** The three minutes of a USSD session, shortened, and what happens around their end; then Temporal goes away. */
import { randomUUID } from 'node:crypto';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { openPhone, type Phone } from '../support/phone';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const WINDOW_MS = 4_000;
const FUNDED_KOBO = 500_000;
const AMOUNT_KOBO = 250_000;

let platform: Platform;
let url: string;
let partner: Calls;
let payer: string;
let merchant: string;

beforeAll(async () => {
  platform = await openPlatform({ settings: { USSD_SESSION_MS: String(WINDOW_MS) } });
  [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  partner = await platform.partner(url);
  const wallets = await Promise.all([partner.wallet(FUNDED_KOBO), partner.wallet()]);
  [payer, merchant] = wallets.map(({ id }) => id) as [string, string];
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

interface Started {
  sessionId: string;
  /** The id of the session's row. */
  id: string;
  reference: string;
  phone: Phone;
}

async function start(): Promise<Started> {
  const reference = `ORD-${randomUUID()}`;
  const { body } = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: payer,
    merchant_wallet_id: merchant,
    amount_kobo: AMOUNT_KOBO,
    merchant_name: 'ADA STORES',
    reference,
  });
  const code = body.dial_code.slice(-7, -1);
  const [row] = await platform.sql(`SELECT id FROM ${SANDBOX_CELL}.ussd_sessions WHERE dial_code = $1`, [
    code,
  ]);
  return { sessionId: body.session_id, id: row?.['id'], reference, phone: openPhone(url, body.dial_code) };
}

/** The state in the row, which differs from what a reader sees once the time is over. */
const rowOf = async (id: string): Promise<Json> =>
  (
    await platform.sql(
      `SELECT s.status, t.status AS transaction, s.expires_at <= now() AS overdue
         FROM ${SANDBOX_CELL}.ussd_sessions s JOIN ${SANDBOX_CELL}.transactions t ON t.id = s.transaction_id
        WHERE s.id = $1`,
      [id],
    )
  )[0];
const kindsOf = async (id: string): Promise<string[]> =>
  (
    await platform.sql(
      `SELECT kind FROM ${SANDBOX_CELL}.events e
        WHERE resource_id = (SELECT transaction_id FROM ${SANDBOX_CELL}.ussd_sessions WHERE id = $1)`,
      [id],
    )
  ).map((row) => row['kind']);
const attemptsOf = async (id: string): Promise<number> =>
  (
    await platform.sql(`SELECT pin_attempts::int AS count FROM ${SANDBOX_CELL}.ussd_sessions WHERE id = $1`, [
      id,
    ])
  )[0]?.['count'];
const overdue = (id: string) => until('the end of the window', async () => (await rowOf(id)).overdue);
const ended = (id: string) =>
  until('the end of the session', async () => {
    const row = await rowOf(id);
    return ['completed', 'failed', 'expired'].includes(row.status) && row;
  });

test('nobody dials: the session and its transaction expire, with an event to endpoints that subscribed to it', async () => {
  const { id, sessionId } = await start();
  expect(await ended(id)).toMatchObject({ status: 'expired', transaction: 'expired' });
  expect(await kindsOf(id)).toEqual(['transaction.expired']);
  for (const action of ['confirm', 'cancel']) {
    const late = await partner.post('/v1/sandbox/ussd/simulate', { session_id: sessionId, action });
    expect(late).toMatchObject({ status: 422, body: { error: 'USSD_SESSION_EXPIRED' } });
  }
});

test('a PIN after the end is not checked', async () => {
  const { id, phone } = await start();
  await phone.dial();
  await phone.type('1');
  await overdue(id);
  expect(await phone.type('1234')).toBe('END Session expired');
  expect(await ended(id)).toMatchObject({ status: 'expired', transaction: 'expired' });
  expect(await partner.balanceKobo(payer)).toBe(FUNDED_KOBO);
  expect(await phone.dial()).toBe('END Session expired');
});

test('a right PIN that was counted in time pays after the end, although no message reaches the workflow', async () => {
  const { id, phone } = await start();
  await phone.dial();
  await phone.type('1');
  await platform.sql(
    `INSERT INTO ${SANDBOX_CELL}.ussd_pin_attempts
       (id, partner_id, session_id, gateway_session, hop, number, outcome, decided_at)
     VALUES (gen_random_uuid(), $1, $2, 'one that broke', 2, 1, 'pin_accepted', now())`,
    [partner.partnerId, id],
  );
  expect(await ended(id)).toMatchObject({ status: 'completed', transaction: 'completed' });
  expect(await partner.balanceKobo(payer)).toBe(FUNDED_KOBO - AMOUNT_KOBO);
  expect(await kindsOf(id)).toEqual(['transaction.completed']);
});

test('without Temporal a payment is initiated, the phone sees an error, and the session ends when Temporal is back', async () => {
  const dialled = await start();
  await dialled.phone.dial();
  await dialled.phone.type('1');
  const paying = await start();
  await paying.phone.dial();
  await paying.phone.type('1');
  await platform.temporal.stop();
  const processing = `END Payment is being processed. Ref ${paying.reference.slice(0, 38)}`;
  expect(await paying.phone.type('1234')).toContain(processing);
  expect(await paying.phone.dial()).toContain(processing);
  await paying.phone.type('1');
  expect(await paying.phone.type('1111')).toContain(processing);
  expect(await attemptsOf(paying.id)).toBe(1);
  const { id, sessionId, phone } = await start();
  expect(await phone.dial()).toBe('END Service unavailable');
  expect(
    await partner.post('/v1/sandbox/ussd/simulate', { session_id: sessionId, action: 'confirm' }),
  ).toMatchObject({
    status: 503,
    body: { error: 'SERVICE_UNAVAILABLE' },
  });
  await overdue(id);
  // The row with its deadline is enough to show that, although no workflow could move it.
  const shown = await partner.get(`/v1/payments/ussd/${sessionId}`);
  expect(shown.body.data).toMatchObject({ status: 'expired', completed_at: null });
  expect(await rowOf(id)).toMatchObject({ status: 'initiated', transaction: 'pending' });
  await platform.temporal.start();
  expect(await ended(dialled.id)).toMatchObject({ transaction: 'expired' });
  expect(await ended(paying.id)).toMatchObject({ status: 'completed', transaction: 'completed' });
  for (const one of [id, dialled.id]) {
    const handle = platform.operator.workflow.getHandle(`ussd/${one}`);
    await until('the end of the workflow', async () => {
      const { status } = await handle.describe().catch(() => ({ status: { name: 'UNKNOWN' } }));
      return status.name === 'COMPLETED';
    });
    expect(await kindsOf(one)).toEqual(['transaction.expired']);
  }
});
