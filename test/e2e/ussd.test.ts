/**
 * USSD payments from the code to the webhook's event, on a real Temporal: every way a session ends, and every
 * race.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { openHolder, type Holder } from '../support/holder';
import { openHollatagsPhone, openPhone, type Phone } from '../support/phone';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';
import { directoryOf } from '../../src/db/pg/schema';
import { readSessionId } from '../../src/wire/ussd';
import { state, ussdMessages } from '../../src/contract/messages';
import { SANDBOX_CELL } from '../setup/cells';

const PIN = '1234';
const WRONG = ['1111', '2222', '3333'] as const;
const FUNDED_KOBO = 500_000;
const AMOUNT_KOBO = 250_000;
const MENU = 'CON Pay NGN 2,500.00 to ADA STORES\nRef ORD-1';
const ASK_PIN = 'CON Enter your 4-digit wallet PIN';

let platform: SharedPlatform;
let url: string;
let partner: Calls;
let payer: string;
let merchant: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  url = platform.url;
  partner = await platform.partner(url);
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

beforeEach(async () => {
  const wallets = await Promise.all([partner.wallet(FUNDED_KOBO), partner.wallet()]);
  [payer, merchant] = wallets.map(({ id }) => id) as [string, string];
});

interface Started {
  sessionId: string;
  reference: string;
  phone: Phone;
}

async function start(more: Record<string, unknown> = {}): Promise<Started> {
  const reference = `ORD-1-${randomUUID()}`;
  const { status, body } = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: payer,
    merchant_wallet_id: merchant,
    amount_kobo: AMOUNT_KOBO,
    merchant_name: 'ADA STORES',
    reference,
    ...more,
  });
  expect(status).toBe(200);
  return { sessionId: body.session_id, reference, phone: openPhone(url, body.dial_code) };
}

const show = async (sessionId: string): Promise<Json> =>
  (await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data;
const simulate = (sessionId: string, action: string) =>
  partner.post('/v1/sandbox/ussd/simulate', { session_id: sessionId, action });
const eventsOf = async (sessionId: string): Promise<Json[]> => {
  const { transaction_id } = await show(sessionId);
  const rows = await platform.sql(`SELECT kind, data FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [
    transaction_id,
  ]);
  return rows.map(({ kind, data }) => ({ kind, ...JSON.parse(data) }));
};
const balances = async () => [await partner.balanceKobo(payer), await partner.balanceKobo(merchant)];

const UNMOVED = [FUNDED_KOBO, 0];
const PAID = [FUNDED_KOBO - AMOUNT_KOBO, AMOUNT_KOBO];

describe('by the gateway', () => {
  test('dial, confirm and PIN pay the merchant, once, with one event', async () => {
    const { sessionId, reference, phone } = await start();
    expect(await show(sessionId)).toMatchObject({ status: 'initiated', pin_attempts_remaining: 3 });
    expect(await phone.dial()).toContain(MENU);
    expect(await show(sessionId)).toMatchObject({ status: 'menu_main' });
    expect(await phone.type('1')).toBe(ASK_PIN);
    expect(await show(sessionId)).toMatchObject({ status: 'pin_entry' });
    expect(await phone.type(PIN)).toMatch(/^END Payment successful. Ref ORD-1/);

    const session = await show(sessionId);
    expect(session).toMatchObject({
      status: 'completed',
      failure_reason: null,
      completed_at: expect.any(String),
    });
    expect(await balances()).toEqual(PAID);
    expect(await partner.transaction(payer, reference)).toMatchObject({
      id: session.transaction_id,
      type: 'ussd_payment',
      status: 'completed',
      amount: AMOUNT_KOBO,
      source_wallet: payer,
      dest_wallet: merchant,
    });
    expect(await eventsOf(sessionId)).toEqual([
      {
        kind: 'transaction.completed',
        id: session.transaction_id,
        type: 'ussd_payment',
        status: 'completed',
        reference,
        amount_kobo: AMOUNT_KOBO,
        session_id: sessionId,
        completed_at: session.completed_at,
      },
    ]);
  });

  test('every message of the gateway may come twice', async () => {
    const { sessionId, phone } = await start();
    for (const input of [null, '1', WRONG[0], PIN]) {
      const first = input === null ? await phone.dial() : await phone.type(input);
      expect(await phone.repeat()).toBe(first);
    }
    expect(await show(sessionId)).toMatchObject({ status: 'completed', pin_attempts_remaining: 1 });
    expect(await balances()).toEqual(PAID);
  });

  test.each(['12345', '12a4', '', '١٢٣٤'])(
    '"%s" is not a PIN: the payer is asked again, and no attempt is counted',
    async (entered) => {
      const { sessionId, phone } = await start();
      await phone.dial();
      await phone.type('1');
      expect(await phone.type(entered)).toBe(ASK_PIN);
      expect(await show(sessionId)).toMatchObject({ status: 'pin_entry', pin_attempts_remaining: 3 });
      expect(await phone.type(PIN)).toMatch(/^END Payment successful/);
    },
  );

  test('the payment fails at the debit when the money has gone since the menu', async () => {
    const { sessionId, phone } = await start();
    await phone.dial();
    await phone.type('1');
    const body = { source_wallet: payer, dest_wallet: merchant, amount: 300_000, reference: randomUUID() };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
    expect(await phone.type(PIN)).toBe('END Insufficient balance');
    expect(await show(sessionId)).toMatchObject({ status: 'failed', failure_reason: 'INSUFFICIENT_FUNDS' });
    expect(await partner.balanceKobo(merchant)).toBe(300_000);
  });

  test('nine dialogues at once, each with the right PIN: three are checked, one pays', async () => {
    const { sessionId } = await start();
    const { dial_code } = await show(sessionId);
    const phones = Array.from({ length: 9 }, () => openPhone(url, dial_code));
    const menus = await Promise.all(phones.map((phone) => phone.dial()));
    expect(menus.every((screen) => screen.startsWith(MENU))).toBe(true);
    expect(await Promise.all(phones.map((phone) => phone.type('1')))).toEqual(phones.map(() => ASK_PIN));
    const ends = await Promise.all(phones.map((phone) => phone.type(PIN)));
    expect(ends.filter((screen) => screen.startsWith('END Payment successful')).length).toBeGreaterThan(0);
    expect(ends.filter((screen) => screen === 'END Service unavailable')).toEqual([]);
    expect(await show(sessionId)).toMatchObject({ status: 'completed' });
    expect(await balances()).toEqual(PAID);
    expect(await eventsOf(sessionId)).toHaveLength(1);
  });

  describe('Hollatags, which sends one input at a time', () => {
    const DIRECTORY = directoryOf('sandbox');
    /** The next input comes later than a repeat could. */
    const later = (sessionId: string) =>
      platform.sql(
        `UPDATE ${DIRECTORY}.dial_codes SET typed_at = typed_at - interval '2 s' WHERE session_id = $1`,
        [readSessionId(sessionId)],
      );
    const dialled = async (sessionId: string, more = '') =>
      openHollatagsPhone(url, (await show(sessionId)).dial_code.replace(/#$/, `${more}#`));

    test('dial, confirm and PIN pay the merchant once, and no PIN is kept', async () => {
      const { sessionId } = await start();
      const phone = await dialled(sessionId);
      expect(await phone.dial()).toContain(MENU);
      expect(await phone.type('1')).toBe(ASK_PIN);
      expect(await phone.type(PIN)).toMatch(/^END Payment successful. Ref ORD-1/);
      expect(await balances()).toEqual(PAID);
      const [kept] = await platform.sql(`SELECT typed FROM ${DIRECTORY}.dial_codes WHERE session_id = $1`, [
        readSessionId(sessionId),
      ]);
      expect(kept).toEqual({ typed: '1x' });
    });

    test('every message may come twice: a wrong PIN counts once', async () => {
      const { sessionId } = await start();
      const phone = await dialled(sessionId);
      for (const input of [null, '1', WRONG[0], WRONG[1], PIN]) {
        const first = input === null ? await phone.dial() : await phone.type(input);
        expect(await phone.repeat()).toBe(first);
        await later(sessionId);
      }
      expect(await show(sessionId)).toMatchObject({ status: 'completed', pin_attempts_remaining: 0 });
      expect(await balances()).toEqual(PAID);
    });

    test('what was typed with the code counts', async () => {
      const { sessionId } = await start();
      const phone = await dialled(sessionId, '*1');
      expect(await phone.dial()).toBe(ASK_PIN);
      expect(await phone.type(PIN)).toMatch(/^END Payment successful/);
    });

    test('without a code it finds the session of the phone, and 2 cancels it', async () => {
      const phoneNumber = '+2348012345678';
      const { sessionId } = await start({ phone: phoneNumber });
      const phone = openHollatagsPhone(url, null);
      expect(await phone.dial()).toContain(MENU);
      // The code of another payment means nothing in the middle of a dialogue.
      expect(await phone.type('615203')).toContain(MENU);
      expect(await phone.type('2')).toBe('END Cancelled');
      expect(await show(sessionId)).toMatchObject({ status: 'failed', failure_reason: 'CANCELLED' });
      expect(await balances()).toEqual(UNMOVED);
    });
  });

  test('one PIN in two dialogues at once pays once', async () => {
    const { sessionId, phone } = await start();
    const other = openPhone(url, (await show(sessionId)).dial_code);
    await Promise.all([phone.dial(), other.dial()]);
    await Promise.all([phone.type('1'), other.type('1')]);
    await Promise.all([phone.type(PIN), other.type(PIN)]);
    expect(await show(sessionId)).toMatchObject({ status: 'completed' });
    expect(await balances()).toEqual(PAID);
    expect(await eventsOf(sessionId)).toHaveLength(1);
  });
});

describe('simulate', () => {
  test('twice at once: one completes, the other is too late', async () => {
    const { sessionId } = await start();
    const answers = await Promise.all([simulate(sessionId, 'confirm'), simulate(sessionId, 'confirm')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error).toBe('USSD_SESSION_NOT_ACTIVE');
    expect(await balances()).toEqual(PAID);
  });
});

describe('a payer who waits longer than the gateway', () => {
  let pool: pg.Pool;
  let holder: Holder;
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: platform.databaseUrl, max: 1 });
    holder = await openHolder(pool);
  });
  afterAll(async () => {
    await holder.close();
    await pool.end();
  });
  const sessionRow = async (sessionId: string): Promise<Json> =>
    (
      await platform.sql(
        `SELECT pin_attempts::int AS attempts, status FROM ${SANDBOX_CELL}.ussd_sessions WHERE id = $1`,
        [readSessionId(sessionId)],
      )
    )[0];

  test('is told that the payment is being processed once the PIN was accepted, and is debited afterwards', async () => {
    const { sessionId, phone } = await start();
    await phone.dial();
    await phone.type('1');
    await holder.begin(`SELECT FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR NO KEY UPDATE`, [payer]);
    expect(await phone.type(PIN)).toMatch(/^END Payment is being processed. Ref ORD-1/);
    expect(await phone.dial()).toMatch(/^END Payment is being processed. Ref ORD-1/);
    expect(await balances()).toEqual(UNMOVED);
    await holder.end('ROLLBACK');
    await until('the payment', async () => (await show(sessionId)).status === 'completed');
    expect(await balances()).toEqual(PAID);
    expect(await phone.dial()).toMatch(/^END Payment successful/);
  }, 30_000);

  test('is told that the PIN is being checked while nobody knows whether it pays', async () => {
    const { sessionId, phone } = await start();
    await phone.dial();
    await phone.type('1');
    await holder.begin(`SELECT FROM ${SANDBOX_CELL}.ussd_sessions WHERE id = $1 FOR UPDATE`, [
      readSessionId(sessionId),
    ]);
    expect(await phone.type(PIN)).toBe('END Your PIN is being checked. Dial again to see the result');
    await holder.end('ROLLBACK');
    // The lock may have been waited for too long; then nothing was counted, and the PIN is asked for again.
    const again = await phone.dial();
    const { attempts } = await sessionRow(sessionId);
    if (attempts === 0) expect(again).toContain(MENU);
    else expect(again).toMatch(/^END (Payment|Your PIN is being checked)/);
  }, 30_000);

  test('is not asked for a PIN again after the right one, and no other one is counted', async () => {
    const { sessionId, phone } = await start();
    await phone.dial();
    await phone.type('1');
    // As an API leaves it that ended before its message reached the workflow.
    await platform.sql(
      `INSERT INTO ${SANDBOX_CELL}.ussd_pin_attempts
         (id, partner_id, session_id, gateway_session, hop, number, outcome, decided_at)
       VALUES (gen_random_uuid(), $1, $2, 'one that broke', 2, 1, 'pin_accepted', now())`,
      [partner.partnerId, readSessionId(sessionId)],
    );
    await platform.sql(`UPDATE ${SANDBOX_CELL}.ussd_sessions SET pin_attempts = 1 WHERE id = $1`, [
      readSessionId(sessionId),
    ]);
    await phone.dial();
    await phone.type('1');
    expect(await phone.type(WRONG[0])).toMatch(/^END Payment successful/);
    expect(await sessionRow(sessionId)).toEqual({ attempts: 1, status: 'completed' });
    expect(await balances()).toEqual(PAID);
  });
});

test('a session whose workflow an operator stopped says so to the payer, and nothing moves', async () => {
  const { sessionId, phone } = await start();
  expect(await phone.dial()).toContain(MENU);
  const handle = platform.operator.workflow.getHandle(`ussd/${readSessionId(sessionId)}`);
  await handle.terminate('by a test');
  expect(await phone.type('1')).toBe('END Service unavailable');
  expect(await show(sessionId)).toMatchObject({ status: 'menu_main' });
  expect(await balances()).toEqual(UNMOVED);
});

describe('a confirmation', () => {
  const workflowOf = (sessionId: string) =>
    platform.operator.workflow.getHandle(`ussd/${readSessionId(sessionId)}`);

  test('is committed by the workflow and by nobody else', async () => {
    const { sessionId, phone } = await start();
    await phone.dial();
    const workflow = workflowOf(sessionId);
    const commits = async (): Promise<number> =>
      (await workflow.fetchHistory()).events?.filter((event) => event.markerRecordedEventAttributes).length ??
      0;
    const before = await commits();
    expect(await phone.type('1')).toBe(ASK_PIN);
    expect(await show(sessionId)).toMatchObject({ status: 'pin_entry' });
    expect(await workflow.query(state)).toBe('pin_entry');
    expect(await commits()).toBe(before + 1);
  });

  test('that was committed but did not reach the workflow is found by it: the PIN pays', async () => {
    const { sessionId, phone } = await start();
    await phone.dial();
    const workflow = workflowOf(sessionId);
    await platform.sql(`UPDATE ${SANDBOX_CELL}.ussd_sessions SET status = 'pin_entry' WHERE id = $1`, [
      readSessionId(sessionId),
    ]);
    expect(await workflow.query(state)).toBe('menu_main');
    expect(await phone.type('1')).toBe(ASK_PIN);
    expect(await phone.type(PIN)).toMatch(/^END Payment successful/);
    expect(await workflow.query(state)).toBe('completed');
    expect(await balances()).toEqual(PAID);
  });

  test('of a session that nobody has dialled moves nothing', async () => {
    const { sessionId, phone } = await start();
    const workflow = workflowOf(sessionId);
    await until('the workflow', () => workflow.describe().catch(() => undefined));
    const told = await workflow.executeUpdate(ussdMessages.confirm);
    expect(told).toEqual({ status: 'initiated', failureReason: null });
    expect(await show(sessionId)).toMatchObject({ status: 'initiated' });

    await phone.dial();
    await phone.type('1');
    expect(await phone.type(PIN)).toMatch(/^END Payment successful/);
    expect(await balances()).toEqual(PAID);
  });
});

test('no PIN is in a workflow history or in a table', async () => {
  const canary = '7305';
  const set = await fetch(`${url}/v1/wallets/${payer}/pin`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${partner.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ pin: canary }),
  });
  expect(set.status).toBe(200);
  const { sessionId, phone } = await start();
  await phone.dial();
  await phone.type('1');
  expect(await phone.type('7306')).toMatch(/^CON Wrong PIN/);
  expect(await phone.type(canary)).toMatch(/^END Payment successful/);
  const uuid = (
    await platform.sql(`SELECT id FROM ${SANDBOX_CELL}.ussd_sessions WHERE payer_wallet = $1`, [payer])
  )[0]?.['id'];
  const handle = platform.operator.workflow.getHandle(`ussd/${uuid}`);
  await until('the end of the workflow', async () => (await handle.describe()).status.name === 'COMPLETED');
  const history = JSON.stringify(await handle.fetchHistory(), (_key, value: Json) =>
    value?.type === 'Buffer' || value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  expect(history).toContain(uuid);
  for (const digits of [`"${canary}"`, '"7306"', `*${canary}`]) expect(history).not.toContain(digits);
  const tables = ['ussd_sessions', 'ussd_pin_attempts', 'wallet_pins', 'wallet_pin_changes'];
  for (const table of tables) {
    const rows = await platform.sql(`SELECT * FROM ${SANDBOX_CELL}.${table}`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      expect([canary, '7306', Number(canary), 7_306]).not.toContain(value);
    }
  }
  expect(sessionId).toMatch(/^ussd_/);
});
