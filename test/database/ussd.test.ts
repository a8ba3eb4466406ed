/**
 * USSD sessions on Postgres: opened once, at most three guesses, and ended by the first that locks the row (R18,
 * G24, D138).
 */
import { nameOf } from '../../src/domain/outcome';
import { valueAs } from '../support/outcomes';
import { finishReset } from '../../src/db/upkeep/epochs';
import { newId } from '../../src/db/pg/ids';
import { countGuess, setPin } from '../../src/db/wallets/pins';
import {
  giveBackDialCode,
  sessionOfCode,
  sessionsOfPhone,
  takeDialCode,
} from '../../src/db/payments/dial-codes';
import { countAttempt, decideAttempt, findAttempt, type Counted } from '../../src/db/payments/ussd-attempts';
import { findSessionAsTold, moveUssdSession, type UssdRules } from '../../src/db/payments/ussd-moves';
import { findTransaction } from '../../src/db/ledger/transactions';
import { findUssdSession, openUssdSession, type NewUssdSession } from '../../src/db/payments/ussd-sessions';
import { present } from '../../src/domain/assert';
import { USSD_STATUSES, type UssdMove, type UssdSession } from '../../src/domain/ussd';
import { ussdIntention } from '../../src/contract/intentions';
import { ussdEnded } from '../../src/wire/webhooks';
import { DAY_MS, openTestCell, type TestCell } from '../support/cell';
import { openCountedCell } from '../support/counted';

let db: TestCell;
let schema: string;
const partnerId = newId();
let payer: string;
let merchant: string;

beforeAll(async () => {
  db = await openTestCell();
  ({ schema } = db.cell);
});
afterAll(() => db.close());
beforeEach(async () => {
  payer = await db.wallet({ partnerId, fundKobo: 10_000 });
  merchant = await db.wallet({ partnerId });
});

const RULES: UssdRules = { hasSandboxPin: true, announce: ussdEnded };

const asked = (more: Partial<NewUssdSession> = {}): NewUssdSession => ({
  sessionId: newId(),
  transactionId: newId(),
  partnerId,
  payerWalletId: payer,
  merchantWalletId: merchant,
  merchantName: 'ADA STORES',
  phone: null,
  dialCode: '615203',
  amountKobo: 1_000,
  reference: `ref-${newId()}`,
  windowMs: 180_000,
  key: null,
  answer: (session) => ({ status: 200, body: JSON.stringify({ id: session.id }) }),
  intend: (session) => ussdIntention(session, { allowsSimulation: true }),
  ...more,
});

const opened = async (more: Partial<NewUssdSession> = {}): Promise<UssdSession> => {
  const result = await openUssdSession(db.cell, asked(more), DAY_MS);
  return valueAs(result, 'accepted').value.session;
};
const move = async (session: UssdSession, what: UssdMove, rules = RULES): Promise<UssdSession> =>
  present(await moveUssdSession(db.cell, partnerId, session.id, what, rules), 'the session').session;
/** A session that waits for a PIN. */
const atPin = async (more: Partial<NewUssdSession> = {}): Promise<UssdSession> => {
  const session = await opened(more);
  await move(session, { kind: 'dial' });
  return move(session, { kind: 'confirm' });
};
const count = (
  session: UssdSession,
  hop: number,
  gatewaySession = 'g',
): Promise<Counted & { id: string }> => {
  const id = newId();
  return countAttempt(db.cell, session, { id, gatewaySession, hop }).then((counted) => ({ ...counted, id }));
};
const endWindow = (session: UssdSession) =>
  db.sql(`UPDATE ${schema}.ussd_sessions SET expires_at = now() - interval '1 ms' WHERE id = $1`, [
    session.id,
  ]);
const told = async (session: UssdSession): Promise<UssdSession> =>
  present(await findSessionAsTold(db.cell, partnerId, session.id), 'the session');
const kinds = async (session: UssdSession): Promise<string[]> =>
  (await db.sql(`SELECT kind FROM ${schema}.events WHERE resource_id = $1`, [session.transactionId])).map(
    (row) => row['kind'],
  );
const transactionOf = async (session: UssdSession) =>
  (await db.sql(`SELECT * FROM ${schema}.transactions WHERE id = $1`, [session.transactionId]))[0];
const rowsOf = async (reference: string): Promise<number[]> =>
  Promise.all(
    ['transactions', 'used_references'].map(
      async (table) =>
        (
          await db.sql(`SELECT 1 FROM ${schema}.${table} WHERE partner_id = $1 AND reference = $2`, [
            partnerId,
            reference,
          ])
        ).length,
    ),
  );

describe('opening', () => {
  test('writes session, pending transaction, reference and intention together', async () => {
    const session = await opened();
    expect(session).toMatchObject({
      status: 'initiated',
      pinAttempts: 0,
      overdue: false,
      failureReason: null,
    });
    expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(180_000);
    expect(await transactionOf(session)).toMatchObject({
      type: 'ussd_payment',
      status: 'pending',
      amount_kobo: 1_000,
      net_amount_kobo: 1_000,
      source_wallet: payer,
      dest_wallet: merchant,
    });
    const [intention] = await db.sql(`SELECT * FROM ${schema}.workflow_intentions WHERE resource_id = $1`, [
      session.id,
    ]);
    expect(intention).toMatchObject({
      workflow_id: `ussd/${session.id}`,
      workflow_type: 'ussdSession',
      input: { partnerId, sessionId: session.id, expiresAt: session.expiresAt.toISOString() },
    });
  });

  test('twenty at once with one reference open one', async () => {
    const reference = `ref-${newId()}`;
    const results = await Promise.all(
      Array.from({ length: 20 }, () => openUssdSession(db.cell, asked({ reference }), DAY_MS)),
    );
    const ids = results.map((result) =>
      nameOf(result) === 'accepted'
        ? valueAs(result, 'accepted').value.session.id
        : valueAs(result, 'same_reference').resourceId,
    );
    expect(new Set(ids).size).toBe(1);
    expect(results.filter((one) => nameOf(one) === 'accepted')).toHaveLength(1);
    expect(await rowsOf(reference)).toEqual([1, 1]);
  });

  test('twenty at once with one key open one, and all get its answer', async () => {
    const key = { operation: 'initiateUssd', key: newId(), fingerprint: 'same' };
    const reference = `ref-${newId()}`;
    const results = await Promise.all(
      Array.from({ length: 20 }, () => openUssdSession(db.cell, asked({ reference, key }), DAY_MS)),
    );
    expect(results.filter((one) => nameOf(one) === 'accepted')).toHaveLength(1);
    const answers = results
      .filter((one) => nameOf(one) === 'same_key')
      .map((one) => valueAs(one, 'same_key').answer.body);
    expect(new Set(answers).size).toBe(1);
    expect(answers.length + results.filter((one) => nameOf(one) === 'same_reference').length).toBe(19);
  });

  test('the first ten sessions of a partner at once share one settlement wallet, which is active at once', async () => {
    const stranger = newId();
    const source = await db.wallet({ partnerId: stranger });
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () =>
        opened({ partnerId: stranger, payerWalletId: source, merchantWalletId: null }),
      ),
    );
    expect(new Set(sessions.map((session) => session.merchantWalletId)).size).toBe(1);
    const wallets = await db.sql(
      `SELECT w.*, a.status, a.balance_kobo FROM ${schema}.wallets w JOIN ${schema}.accounts a USING (id)
        WHERE w.partner_id = $1 AND w.user_ref = '__settlement__'`,
      [stranger],
    );
    expect(wallets).toEqual([
      expect.objectContaining({ status: 'active', balance_kobo: 0, account_number: null }),
    ]);
    // Nobody is asked for a number of it: only the sessions have workflows.
    const begun = await db.sql(
      `SELECT workflow_id FROM ${schema}.workflow_intentions WHERE partner_id = $1`,
      [stranger],
    );
    expect(begun.map((row) => row.workflow_id).sort()).toEqual(sessions.map(({ id }) => `ussd/${id}`).sort());
  });

  test('a refusal leaves nothing behind, not even the settlement wallet', async () => {
    const stranger = newId();
    const frozen = await db.wallet({ partnerId: stranger, status: 'frozen' });
    const request = asked({ partnerId: stranger, payerWalletId: frozen, merchantWalletId: null });
    expect(await openUssdSession(db.cell, request, DAY_MS)).toMatchObject({
      ok: false,
      refusal: { code: 'WALLET_FROZEN' },
    });
    expect(
      await db.sql(`SELECT 1 FROM ${schema}.wallets WHERE partner_id = $1 AND id <> $2`, [stranger, frozen]),
    ).toEqual([]);
    expect(await rowsOf(request.reference)).toEqual([0, 0]);
  });
});

describe('moves', () => {
  test('each move is written once, however often it is asked for', async () => {
    const session = await opened();
    for (const [kind, status] of [
      ['dial', 'menu_main'],
      ['dial', 'menu_main'],
      ['confirm', 'pin_entry'],
      ['confirm', 'pin_entry'],
      ['cancel', 'failed'],
      ['cancel', 'failed'],
      ['dial', 'failed'],
    ] as const) {
      expect(await move(session, { kind })).toMatchObject({ status });
    }
    expect(await kinds(session)).toEqual(['transaction.failed']);
    expect(await transactionOf(session)).toMatchObject({ status: 'failed', failed_reason: 'CANCELLED' });
  });

  test('the database allows the states of the machine and no other', async () => {
    const session = await opened();
    for (const status of USSD_STATUSES) {
      await db.sql(`UPDATE ${schema}.ussd_sessions SET status = $2 WHERE id = $1`, [session.id, status]);
    }
    await expect(
      db.sql(`UPDATE ${schema}.ussd_sessions SET status = 'paused' WHERE id = $1`, [session.id]),
    ).rejects.toMatchObject({ code: '23514' });
  });

  test('a session that is absent or of another partner is not found and not moved', async () => {
    const session = await opened();
    const asking = (partner: string, id: string) =>
      moveUssdSession(db.cell, partner, id, { kind: 'cancel' }, RULES);
    expect(await asking(partnerId, newId())).toBeNull();
    expect(await asking(newId(), session.id)).toBeNull();
    expect(await findUssdSession(db.cell, newId(), session.id)).toBeNull();
    expect(await findUssdSession(db.cell, partnerId, session.id)).toMatchObject({ status: 'initiated' });
  });

  test.each([
    ['INSUFFICIENT_FUNDS', { amountKobo: 10_001 }, RULES],
    ['PIN_NOT_SET', {}, { ...RULES, hasSandboxPin: false }],
  ])('at the menu %s ends the session', async (reason, more, rules) => {
    const session = await opened(more);
    expect(await move(session, { kind: 'dial' }, rules)).toMatchObject({
      status: 'failed',
      failureReason: reason,
    });
    expect(await kinds(session)).toEqual(['transaction.failed']);
  });

  test('when the event cannot be written, session and transaction do not move', async () => {
    const session = await atPin();
    const orderId = newId();
    await db.owner.query(`SELECT ${schema}.begin_reset($1, $2)`, [partnerId, orderId]);
    const cancelled = move(session, { kind: 'cancel' });
    await expect(cancelled).rejects.toMatchObject({ code: '57P03' });
    await finishReset(db.owner, schema, { partnerId, orderId });
    expect(await findUssdSession(db.cell, partnerId, session.id)).toMatchObject({ status: 'pin_entry' });
    expect(await transactionOf(session)).toMatchObject({ status: 'pending', failed_reason: null });
    expect(await kinds(session)).toEqual([]);
    expect(await move(session, { kind: 'cancel' })).toMatchObject({ status: 'failed' });
    expect(await kinds(session)).toEqual(['transaction.failed']);
  });

  test('the event shows the transaction as its row has it', async () => {
    const session = await atPin();
    const announce = jest.fn(ussdEnded);
    await move(session, { kind: 'cancel' }, { ...RULES, announce });
    const row = await findTransaction(db.cell, partnerId, session.transactionId);
    expect(row).toMatchObject({ status: 'failed', failedReason: 'CANCELLED' });
    expect(announce.mock.calls.map(([told]) => told)).toEqual([row]);
  });

  test('the result names the endpoints to wake, without the disabled ones', async () => {
    const stranger = newId();
    const [on, off] = [newId(), newId()];
    for (const [id, isActive] of [
      [on, true],
      [off, false],
    ] as const) {
      await db.sql(
        `INSERT INTO ${schema}.webhook_endpoints (id, partner_id, url, events, secret_sealed, is_active)
         VALUES ($1, $2, 'https://partner.example', '{transaction.failed}', '', $3)`,
        [id, stranger, isActive],
      );
    }
    const wallets = { payerWalletId: await db.wallet({ partnerId: stranger }), merchantWalletId: null };
    const session = await opened({ partnerId: stranger, ...wallets });
    const moved = await moveUssdSession(db.cell, stranger, session.id, { kind: 'cancel' }, RULES);
    expect(moved?.endpointIds).toEqual([on]);
  });

  test('cancel against expiry at the same moment has one winner and one event', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await atPin();
      const [cancelled] = await Promise.all([
        move(session, { kind: 'cancel' }),
        endWindow(session).then(() => move(session, { kind: 'expire' })),
      ]);
      const row = present(await findUssdSession(db.cell, partnerId, session.id), 'the session');
      expect(['failed', 'expired']).toContain(row.status);
      expect(cancelled.status).toBe(row.status);
      expect(await kinds(session)).toHaveLength(1);
    }
  });
});

test('no step scans a whole table, also when its plan was made while all tables were empty', async () => {
  const tables = ['transactions', 'ussd_sessions', 'ussd_pin_attempts', 'wallet_pins', 'accounts'];
  const { test: empty, pool, counted, close } = await openCountedCell();
  const cell = { ...empty.cell, pool };
  const readWhole = async (): Promise<string[]> => {
    const rows = await counted(
      `SELECT relname, seq_scan FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = ANY($2) ORDER BY 1`,
      [schema, tables],
    );
    return rows.map((row) => `${row['relname']}: ${row['seq_scan']}`);
  };
  const dialAndPay = async (session: Pick<UssdSession, 'id' | 'partnerId' | 'payerWalletId'>) => {
    const step = (what: UssdMove) => moveUssdSession(cell, partnerId, session.id, what, RULES);
    const attempt = { id: newId(), gatewaySession: 'g', hop: 2 };
    await step({ kind: 'dial' });
    await step({ kind: 'confirm' });
    await countAttempt(cell, session, attempt);
    await decideAttempt(cell, session, attempt.id, 'pin_accepted');
    return step({ kind: 'pin', attemptId: attempt.id });
  };
  try {
    await empty.sql(`VACUUM ANALYZE ${tables.map((table) => `${schema}.${table}`).join(', ')}`);
    await dialAndPay({ id: newId(), partnerId, payerWalletId: newId() });
    const wallets = {
      payerWalletId: await empty.wallet({ partnerId, fundKobo: 10_000 }),
      merchantWalletId: await empty.wallet({ partnerId }),
    };
    const result = await openUssdSession(empty.cell, asked(wallets), DAY_MS);
    const before = await readWhole();
    const paid = await dialAndPay(valueAs(result, 'accepted').value.session);
    expect(paid?.session.status).toBe('processing');
    expect(await readWhole()).toEqual(before);
  } finally {
    await close();
  }
});

describe('a PIN against the end of the window', () => {
  test('counted first: the session waits for it, and its payment goes on', async () => {
    const session = await atPin();
    const attempt = await count(session, 2);
    expect(attempt).toMatchObject({ kind: 'counted', number: 1 });
    await endWindow(session);
    expect(await told(session)).toMatchObject({ status: 'pin_entry' });
    expect(await move(session, { kind: 'expire' })).toMatchObject({ status: 'pin_entry', overdue: true });
    await decideAttempt(db.cell, session, attempt.id, 'pin_accepted');
    expect(await move(session, { kind: 'pin', attemptId: attempt.id })).toMatchObject({
      status: 'processing',
    });
    expect(await transactionOf(session)).toMatchObject({ status: 'processing' });
    expect(await move(session, { kind: 'expire' })).toMatchObject({ status: 'processing' });
  });

  test('counted first and wrong: the session expires after it', async () => {
    const session = await atPin();
    const attempt = await count(session, 2);
    await endWindow(session);
    await decideAttempt(db.cell, session, attempt.id, 'pin_rejected');
    expect(await told(session)).toMatchObject({ status: 'expired', failureReason: null });
    expect(await kinds(session)).toEqual([]);
    expect(await move(session, { kind: 'expire' })).toMatchObject({ status: 'expired' });
    expect(await kinds(session)).toEqual(['transaction.expired']);
  });

  test('too late: it is not counted, and the session expires', async () => {
    const session = await atPin();
    await endWindow(session);
    expect(await count(session, 2)).toMatchObject({ kind: 'closed' });
    expect(await move(session, { kind: 'expire' })).toMatchObject({ status: 'expired', pinAttempts: 0 });
    expect(await count(session, 2)).toMatchObject({ kind: 'closed' });
  });

  test('counted, but never decided: the session waits some seconds for the outcome, and no longer', async () => {
    const session = await atPin();
    const attempt = await count(session, 2);
    await endWindow(session);
    expect(await move(session, { kind: 'expire' })).toMatchObject({ status: 'pin_entry' });
    await db.sql(
      `UPDATE ${schema}.ussd_pin_attempts SET counted_at = now() - interval '11 s' WHERE id = $1`,
      [attempt.id],
    );
    expect(await told(session)).toMatchObject({ status: 'pin_entry' });
    expect(await move(session, { kind: 'expire' })).toMatchObject({ status: 'expired' });
    expect(await told(session)).toMatchObject({ status: 'expired' });
    await decideAttempt(db.cell, session, attempt.id, 'pin_accepted');
    expect(await move(session, { kind: 'pin', attemptId: attempt.id })).toMatchObject({ status: 'expired' });
  });

  test('at the same moment, many times: the session never both pays and expires', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await atPin();
      await db.sql(`UPDATE ${schema}.ussd_sessions SET expires_at = now() + interval '5 ms' WHERE id = $1`, [
        session.id,
      ]);
      const pay = async () => {
        const attempt = await count(session, 2);
        if (attempt.kind !== 'counted') return 'late';
        await decideAttempt(db.cell, session, attempt.id, 'pin_accepted');
        return (await move(session, { kind: 'pin', attemptId: attempt.id })).status;
      };
      const expire = async () => {
        let status: string = 'pin_entry';
        while (status === 'pin_entry') ({ status } = await move(session, { kind: 'expire' }));
        return status;
      };
      const [paid, expired] = await Promise.all([pay(), expire()]);
      expect([
        ['processing', 'processing'],
        ['late', 'expired'],
      ]).toContainEqual([paid, expired]);
    }
  });

  test('at the same moment, many times: every reader after the end sees the true state', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await atPin();
      await db.sql(`UPDATE ${schema}.ussd_sessions SET expires_at = now() + interval '5 ms' WHERE id = $1`, [
        session.id,
      ]);
      const readers = [1, 2, 3].map(async () => {
        let seen = await told(session);
        while (!seen.overdue) seen = await told(session);
        return seen.status;
      });
      const [attempt, ...seen] = await Promise.all([count(session, 2), ...readers]);
      const expected = attempt.kind === 'counted' ? 'pin_entry' : 'expired';
      expect(seen).toEqual([expected, expected, expected]);
      // The next round would otherwise find the PIN locked after nine attempts without a right one.
      await decideAttempt(db.cell, session, attempt.id, 'pin_accepted');
    }
  });
});

describe('guesses', () => {
  test('of fifty at once in one session three are checked', async () => {
    const session = await atPin();
    const counted = await Promise.all(Array.from({ length: 50 }, (_, place) => count(session, place)));
    const numbers = counted.flatMap((one) => (one.kind === 'counted' ? [one.number] : []));
    expect(numbers.sort()).toEqual([1, 2, 3]);
    expect(counted.filter(({ kind }) => kind === 'closed')).toHaveLength(47);
  });

  test('the gateway’s repeat is the same attempt, even at the same moment', async () => {
    const session = await atPin();
    const counted = await Promise.all(Array.from({ length: 10 }, () => count(session, 2)));
    const [first] = counted.filter(({ kind }) => kind === 'counted');
    expect(counted.filter(({ kind }) => kind === 'counted')).toHaveLength(1);
    for (const one of counted) {
      if (one.kind === 'repeated') expect(one.attemptId).toBe(first?.id);
    }
    expect(await count(session, 3)).toMatchObject({ kind: 'counted', number: 2 });
    expect(await count(session, 2, 'another dialogue')).toMatchObject({ kind: 'counted', number: 3 });
  });

  test('nine wrong guesses in a row, over several sessions, lock the wallet, also in parallel', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => atPin()));
    const counted = await Promise.all(
      sessions.flatMap((session) =>
        [2, 3, 4].map(async (hop) => ({ session, ...(await count(session, hop)) })),
      ),
    );
    const looked = counted.filter(({ kind }) => kind === 'counted');
    expect(looked).toHaveLength(9);
    const locked = counted.filter(({ kind }) => kind === 'locked');
    expect(locked).toHaveLength(6);
    for (const { session, id } of locked) {
      expect(await findAttempt(db.cell, id)).toMatchObject({ outcome: 'pin_locked' });
      expect(await move(session, { kind: 'pin', attemptId: id })).toMatchObject({
        status: 'failed',
        failureReason: 'PIN_LOCKED',
      });
    }
    expect(await countGuess(db.cell.pool, schema, { partnerId, walletId: payer })).toBeNull();
    expect(await move(await opened(), { kind: 'dial' })).toMatchObject({ failureReason: 'PIN_LOCKED' });
  });

  test('a right PIN sets the count of wrong ones to 0', async () => {
    const guess = () => countGuess(db.cell.pool, schema, { partnerId, walletId: payer });
    for (let wrong = 1; wrong <= 7; wrong++) expect(await guess()).toMatchObject({ wrongInARow: wrong });
    const session = await atPin();
    const attempt = await count(session, 2);
    expect(attempt).toMatchObject({ wrongInARow: 8 });
    await decideAttempt(db.cell, session, attempt.id, 'pin_accepted');
    expect(await guess()).toMatchObject({ wrongInARow: 1 });
  });

  test('an outcome is written once', async () => {
    const session = await atPin();
    const attempt = await count(session, 2);
    expect(await decideAttempt(db.cell, session, attempt.id, 'pin_rejected')).toBe(true);
    expect(await decideAttempt(db.cell, session, attempt.id, 'pin_accepted')).toBe(false);
    expect(await findAttempt(db.cell, attempt.id)).toMatchObject({ outcome: 'pin_rejected' });
    // The second outcome was not written, so it did not set the count of wrong PINs to 0.
    expect(await countGuess(db.cell.pool, schema, { partnerId, walletId: payer })).toMatchObject({
      wrongInARow: 2,
    });
  });

  test('a new PIN unlocks the wallet, and the change stays on record', async () => {
    const wallet = { partnerId, walletId: payer };
    for (let wrong = 1; wrong <= 9; wrong++) await countGuess(db.cell.pool, schema, wallet);
    const stored = { hash: 'hash', pepperKid: 'kid' };
    await setPin(db.cell, { ...wallet, stored, knewCurrentPin: false, requestId: 'req_7' });
    expect(await countGuess(db.cell.pool, schema, wallet)).toEqual({ stored, wrongInARow: 1 });
    expect(
      await db.sql(
        `SELECT knew_current_pin, request_id FROM ${schema}.wallet_pin_changes WHERE wallet_id = $1`,
        [payer],
      ),
    ).toEqual([{ knew_current_pin: false, request_id: 'req_7' }]);
    for (const change of ['UPDATE', 'DELETE FROM'] as const) {
      const table = `${schema}.wallet_pin_changes`;
      const text = change === 'UPDATE' ? `UPDATE ${table} SET request_id = ''` : `DELETE FROM ${table}`;
      await expect(db.cell.pool.query(text)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('dial codes', () => {
  const directory = 'sandbox_directory';
  const take = (code: string, sessionId: string, more: { phone?: string; windowMs?: number } = {}) =>
    takeDialCode(db.cell, directory, {
      code,
      sessionId,
      partnerId,
      phone: null,
      windowMs: 1_000,
      ...more,
    });

  test('one session has a code at a time, and it is free again after its window', async () => {
    const [one, other] = [newId(), newId()];
    expect(await take('100001', one)).toBe(true);
    expect(await take('100001', one)).toBe(true);
    expect(await take('100001', other)).toBe(false);
    await db.sql(
      `UPDATE ${directory}.dial_codes SET taken_until = now() - interval '1 ms' WHERE code = '100001'`,
    );
    expect(await take('100001', other)).toBe(true);
    expect(await sessionOfCode(db.cell.pool, directory, '100001')).toEqual({ partnerId, sessionId: other });
  });

  test('of twenty sessions at once for one code one gets it', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('100002', newId())));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('a code is given back by its own session only', async () => {
    const session = newId();
    await take('100003', session);
    await giveBackDialCode(db.cell.pool, directory, '100003', newId());
    expect(await sessionOfCode(db.cell.pool, directory, '100003')).toEqual({ partnerId, sessionId: session });
    await giveBackDialCode(db.cell.pool, directory, '100003', session);
    expect(await sessionOfCode(db.cell.pool, directory, '100003')).toBeNull();
  });

  test('the sessions of a phone, newest first, within their window', async () => {
    const phone = '+2348099999999';
    const [first, second, over] = [newId(), newId(), newId()];
    await take('100004', first, { phone });
    await take('100005', second, { phone });
    await take('100006', over, { phone, windowMs: -120_000 });
    const found = await sessionsOfPhone(db.cell.pool, directory, phone);
    expect(found.map(({ sessionId }) => sessionId)).toEqual([second, first]);
  });
});
