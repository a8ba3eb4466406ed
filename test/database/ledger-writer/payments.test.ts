/**
 * QR, split, USSD and corrections as they are written: with their rows in one commit, and once, also in a race.
 */
import { nameOf } from '../../../src/domain/outcome';
import { valueAs } from '../../support/outcomes';
import { insertQrRequest } from '../../../src/db/payments/qr-requests';
import { newId } from '../../../src/db/pg/ids';
import type { LedgerItem, LedgerResult, LedgerWriter } from '../../../src/db/ledger/writer';
import type { QrRequest } from '../../../src/domain/qr-requests';
import { SANDBOX_CELL } from '../../setup/cells';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder } from '../../support/holder';
import { bankTransfer, countOutcomes, p2p, settlement } from '../../support/movements';

let cell: TestCell;
let writers: LedgerWriter[];
const partnerId = newId();
let ada: string;
let bola: string;
beforeAll(async () => {
  cell = await openTestCell();
  writers = [cell.openWriter(), cell.openWriter()];
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await cell.close();
});
beforeEach(async () => {
  [ada, bola] = [await cell.wallet({ partnerId, fundKobo: 100_000 }), await cell.wallet({ partnerId })];
});

const post = (item: LedgerItem, place = 0): Promise<LedgerResult> => writers[place % 2]!.post(item);
const one = async (text: string, values: unknown[]) => (await cell.sql(text, values))[0];

const opening = (transactionId = newId()) => ({
  kind: 'open' as const,
  transactionId,
  partnerId,
  reference: `ref-${transactionId}`,
  amountKobo: 1_000,
  description: '',
  metadata: {},
  key: null,
});

async function request(): Promise<QrRequest> {
  const id = newId();
  const label = id.replace(/-/g, '').slice(-12).toUpperCase();
  const wanted = {
    id,
    partnerId,
    walletId: bola,
    amountKobo: 1_000,
    reference: `qr-${id}`,
    label,
    payeeName: 'BOLA',
    description: '',
    metadata: {},
  };
  const made = await insertQrRequest(cell.cell.pool, cell.cell, wanted, 300);
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.used_references (partner_id, reference, resource_id, terms)
     VALUES ($1, $2, $3, '')`,
    [partnerId, made.reference, id],
  );
  return made;
}

const paying = (qr: QrRequest, from = ada): LedgerItem => ({
  movement: {
    ...opening(),
    type: 'qr_payment',
    qrRequestId: qr.id,
    sourceWalletId: from,
    destWalletId: bola,
    reference: qr.reference,
  },
  announce: () => [],
});

describe('a QR request', () => {
  test('is marked paid in the commit of its payment, and its reference leads to the payment', async () => {
    const qr = await request();
    const { id } = valueAs(await post(paying(qr)), 'posted').transaction;
    expect(
      await one(`SELECT transaction_id, paid_by FROM ${SANDBOX_CELL}.qr_requests WHERE id = $1`, [qr.id]),
    ).toEqual({ transaction_id: id, paid_by: ada });
    expect(
      await one(`SELECT transaction_id FROM ${SANDBOX_CELL}.used_references WHERE reference = $1`, [
        qr.reference,
      ]),
    ).toEqual({ transaction_id: id });
  });

  test('paid by forty at once over two writers is paid once', async () => {
    const qr = await request();
    const payers = await Promise.all(
      Array.from({ length: 40 }, () => cell.wallet({ partnerId, fundKobo: 1_000 })),
    );
    const results = await Promise.all(payers.map((payer, place) => post(paying(qr, payer), place)));
    expect(countOutcomes(results)).toEqual({ posted: 1, QR_ALREADY_PAID: 39 });
    expect(await cell.balanceKobo(bola)).toBe(1_000);
  });

  test('whose row is locked delays no other payment, and is paid when the row is free', async () => {
    const qr = await request();
    const other = await cell.wallet({ partnerId, fundKobo: 5_000 });
    const holder = await openHolder(cell.owner);
    await holder.hold('qr_requests', qr.id);
    const held = post(paying(qr));
    const quick = await post(
      p2p({ partnerId, from: other, to: await cell.wallet({ partnerId }), amountKobo: 1 }),
    );
    expect(nameOf(quick)).toBe('posted');
    await holder.end('COMMIT');
    await holder.close();
    expect(nameOf(await held)).toBe('posted');
  });
});

describe('a split', () => {
  test('writes all legs with their own entries', async () => {
    const chidi = await cell.wallet({ partnerId });
    const first = opening();
    const shares = [bola, chidi].map((walletId, place) => ({
      walletId,
      amountKobo: 500,
      percentage: null,
      transactionId: place === 0 ? first.transactionId : newId(),
    }));
    const item: LedgerItem = {
      movement: { ...first, type: 'split_payment', sourceWalletId: ada, shares },
      announce: () => [],
    };
    expect(nameOf(await post(item))).toBe('posted');
    expect([
      await cell.balanceKobo(ada),
      await cell.balanceKobo(bola),
      await cell.balanceKobo(chidi),
    ]).toEqual([99_000, 500, 500]);
    expect(nameOf(await post(item, 1))).toBe('same_reference');
  });
});

describe('a USSD payment', () => {
  async function confirmed(amountKobo: number): Promise<{ item: LedgerItem; sessionId: string }> {
    const [transactionId, sessionId] = [newId(), newId()];
    await cell.sql(
      `WITH agreed AS (
         INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo,
           source_wallet, dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo,
           created_at, updated_at)
         VALUES ($1, $2, $7, 'ussd_payment', 'processing', $3::bigint, $4, $5, 0, 0, 0, $3, now(), now())
         RETURNING *),
       used AS (
         INSERT INTO ${SANDBOX_CELL}.used_references (partner_id, reference, resource_id, transaction_id, terms)
         SELECT partner_id, reference, $6, id, '' FROM agreed)
       INSERT INTO ${SANDBOX_CELL}.ussd_sessions (id, partner_id, transaction_id, payer_wallet, merchant_wallet,
         dial_code, status, created_at, updated_at, expires_at)
       SELECT $6, partner_id, id, source_wallet, dest_wallet, '123456', 'processing', now(), now(),
         now() + interval '3 minutes' FROM agreed`,
      [transactionId, partnerId, amountKobo, ada, bola, sessionId, `ussd-${transactionId}`],
    );
    const movement = {
      kind: 'pay_ussd' as const,
      transactionId,
      partnerId,
      sourceWalletId: ada,
      destWalletId: bola,
    };
    return { item: { movement, announce: () => [] }, sessionId };
  }
  const sessionOf = (id: string) =>
    one(
      `SELECT status, failure_reason, completed_at IS NOT NULL AS done FROM ${SANDBOX_CELL}.ussd_sessions
        WHERE id = $1`,
      [id],
    );

  test('ends its session in the commit of its money', async () => {
    const { item, sessionId } = await confirmed(1_000);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, place) => post(item, place)));
    expect(countOutcomes(outcomes)).toEqual({ posted: 1, settled_before: 9 });
    expect(await sessionOf(sessionId)).toEqual({ status: 'completed', failure_reason: null, done: true });
    expect(await cell.balanceKobo(bola)).toBe(1_000);
  });

  test('without the money fails with its session, and moves nothing', async () => {
    const { item, sessionId } = await confirmed(100_001);
    expect(nameOf(await post(item))).toBe('posted');
    expect(await sessionOf(sessionId)).toEqual({
      status: 'failed',
      failure_reason: 'INSUFFICIENT_FUNDS',
      done: false,
    });
    expect(await cell.balanceKobo(ada)).toBe(100_000);
  });
});

test('a correction is posted once, although it is posted again', async () => {
  const item: LedgerItem = {
    movement: { ...opening(), type: 'wallet_credit', destWalletId: ada },
    announce: () => [],
  };
  const results = await Promise.all(Array.from({ length: 10 }, (_, place) => post(item, place)));
  expect(countOutcomes(results)).toEqual({ posted: 1, same_reference: 9 });
  expect(await cell.balanceKobo(ada)).toBe(101_000);
});

test('a completed transfer is returned once', async () => {
  const accepted = await post(bankTransfer({ partnerId, from: ada, amountKobo: 10_000 }));
  const transactionId = valueAs(accepted, 'posted').transaction.id;
  await post(settlement({ partnerId, transactionId, from: ada, to: 'completed' }));
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, place) =>
      post(settlement({ partnerId, transactionId, from: ada, to: 'reversed' }), place),
    ),
  );
  expect(countOutcomes(results)).toEqual({ posted: 1, settled_before: 9 });
  expect(await cell.balanceKobo(ada)).toBe(100_000);
});

describe('a freeze with an end', () => {
  test.each([
    ['in the past does not stop the wallet', '-1 second', 'posted'],
    ['in the future stops the wallet', '1 hour', 'WALLET_FROZEN'],
  ])('%s', async (_what, until, expected) => {
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.accounts SET status = 'frozen', frozen_until = now() + $2::interval WHERE id = $1`,
      [ada, until],
    );
    expect(nameOf(await post(p2p({ partnerId, from: ada, to: bola, amountKobo: 1 })))).toBe(expected);
  });
});

test('a partner whose sandbox is emptied is refused, its neighbours in the batch are not', async () => {
  const other = newId();
  const [from, to] = [
    await cell.wallet({ partnerId: other, fundKobo: 10 }),
    await cell.wallet({ partnerId: other }),
  ];
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.partner_epochs (partner_id, epoch, resetting, order_id) VALUES ($1, 1, true, gen_random_uuid())`,
    [other],
  );
  const [refused, posted] = await Promise.all([
    post(p2p({ partnerId: other, from, to, amountKobo: 1 })),
    post(p2p({ partnerId, from: ada, to: bola, amountKobo: 1 })),
  ]);
  expect([nameOf(refused), nameOf(posted)]).toEqual(['SERVICE_UNAVAILABLE', 'posted']);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.partner_epochs SET resetting = false WHERE partner_id = $1`, [
    other,
  ]);
  expect(nameOf(await post(p2p({ partnerId: other, from, to, amountKobo: 1 })))).toBe('posted');
});

test('the input of a workflow has the epoch in which its movement is committed, 0 before the first reset', async () => {
  const other = newId();
  const from = await cell.wallet({ partnerId: other, fundKobo: 100_000 });
  const told = async (): Promise<unknown> => {
    const workflowId = `bank-transfer/${newId()}`;
    const transfer = bankTransfer({ partnerId: other, from, amountKobo: 1_000 });
    const intend: Required<LedgerItem>['intend'] = ({ transaction }, epoch) => [
      {
        workflowId,
        workflowType: 'bankTransfer',
        partnerId: other,
        resourceId: transaction.id,
        title: '',
        input: { epoch },
      },
    ];
    expect(nameOf(await post({ ...transfer, intend }))).toBe('posted');
    const written = `SELECT input FROM ${SANDBOX_CELL}.workflow_intentions WHERE workflow_id = $1`;
    return (await one(written, [workflowId]))?.['input'];
  };
  // The writer remembers the wallet from here on, so the second transfer needs no read of the wallet.
  expect([await told(), await told()]).toEqual([{ epoch: 0 }, { epoch: 0 }]);
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.partner_epochs (partner_id, epoch, resetting, order_id) VALUES ($1, 1, false, gen_random_uuid())`,
    [other],
  );
  expect(await told()).toEqual({ epoch: 1 });
});
