/** A payment from outside that no wallet took: two operators allocate it to a wallet, or give it back, once (R43, R44). */
import { auditCell } from '../../support/audit';
import { openWorld, type TestApi, type World } from '../../support/api';
import { withFake } from '../../support/fakes';
import { approvedBy, type TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { newId } from '../../../src/db/pg/ids';
import { directoryOf } from '../../../src/db/pg/schema';
import { OF_NO_PARTNER } from '../../../src/domain/partners';
import { senderPlace } from '../../../src/secrets/sealing';
import type { RefundQueryOutcome } from '../../../src/domain/refunds';
import { REHEARSAL } from '../../support/settings';
import { LIVE_CELL } from '../../setup/cells';

const AMOUNT_KOBO = 500_000;
let world: World;
let api: TestApi;
let partner: TestPartner;
let ada: TestOperator;
let bola: TestOperator;
/** What the company answers when it is asked about a refund. */
let says: RefundQueryOutcome = 'unknown';
beforeAll(async () => {
  world = await openWorld(REHEARSAL);
  api = await world.startApi({}, (environment) =>
    withFake(environment, () => ({
      name: 'paystack',
      refunds: {
        order: () => Promise.reject(new Error('no workflow runs here')),
        made: () => Promise.resolve([]),
        query: () => Promise.resolve({ outcome: says, providerRef: null, reason: null, pollAfterMs: null }),
      },
    })),
  );
  partner = await api.partner({ environment: 'live', status: 'active' });
  [ada, bola] = [await api.operator(), await api.operator()];
});
afterAll(async () => {
  expect(await auditCell(world.databaseUrl, LIVE_CELL)).toEqual([]);
  await world.close();
});

/** A payment that waits in suspense, with its finding. */
async function unallocated(): Promise<string> {
  const id = newId();
  const sender = { name: 'BOLA ADE', bankName: 'Zenith Bank', accountNumber: 'XXXXXX0011', narration: null };
  const sealed = api.environments.live.sealing.seal(JSON.stringify(sender), senderPlace(id));
  await world.sql(
    `INSERT INTO ${directoryOf('live')}.inbound_claims (provider, reference, credit_id, cell)
     VALUES ('paystack', $1, $2, $3)`,
    [`ref-${id}`, id, LIVE_CELL],
  );
  await world.sql(
    `INSERT INTO ${LIVE_CELL}.inbound_credits
       (id, provider, reference, provider_ref, amount_kobo, account_number, sender_sealed)
     VALUES ($1, 'paystack', $2, $2, $3, '9930000902', $4)`,
    [id, `ref-${id}`, AMOUNT_KOBO, sealed],
  );
  const posted = await api.environments.live.cells.get(LIVE_CELL)?.ledger.post({
    movement: {
      kind: 'open',
      type: 'unallocated_credit',
      transactionId: id,
      creditId: id,
      partnerId: OF_NO_PARTNER,
      by: { company: 'paystack', feeKobo: 5_000, owedKobo: 0 },
      told: { why: 'UNKNOWN_ACCOUNT' },
      reference: `fund_${id}`,
      amountKobo: AMOUNT_KOBO,
      description: '',
      metadata: {},
      key: null,
    },
    announce: () => [],
  });
  expect(posted?.ok).toBe(true);
  return id;
}
const EVIDENCE = { note: 'The payer has shown the receipt', evidence_ref: 'CASE-7' };
const propose = (creditId: string, walletId: string) =>
  ada.post(`/ops/live/partners/${partner.id}/credits/${creditId}/allocate`, {
    wallet_id: walletId,
    ...EVIDENCE,
  });
const entriesOf = (id: string) =>
  world.sql(
    `SELECT right(account::text, 4) AS code, account, amount_kobo::int FROM ${LIVE_CELL}.entries
      WHERE transaction_id = $1 ORDER BY amount_kobo`,
    [id],
  );
const openFindings = (id: string) =>
  world.sql(`SELECT class FROM ${LIVE_CELL}.recon_findings WHERE resource = $1 AND closed_at IS NULL`, [id]);

test('the second operator credits the wallet, out of suspense, and the partner sees who has paid', async () => {
  const [creditId, walletId] = [await unallocated(), await partner.wallet()];
  const proposed = await propose(creditId, walletId);
  expect(proposed).toMatchObject({
    status: 202,
    body: {
      data: {
        kind: 'allocate_credit',
        terms: { credit_id: creditId, wallet_id: walletId, amount_kobo: AMOUNT_KOBO, evidence_ref: 'CASE-7' },
      },
    },
  });
  expect(await approvedBy(proposed, ada)).toMatchObject({ status: 403 });
  expect(await partner.balanceKobo(walletId)).toBe(0);
  for (const approval of [await approvedBy(proposed, bola), await approvedBy(proposed, bola)]) {
    expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
  }
  expect(await partner.balanceKobo(walletId)).toBe(AMOUNT_KOBO);
  const { id } = proposed.body.data;
  expect(await entriesOf(id)).toMatchObject([
    { code: '2900', amount_kobo: -AMOUNT_KOBO },
    { account: walletId, amount_kobo: AMOUNT_KOBO },
  ]);
  expect(await openFindings(creditId)).toEqual([]);
  const shown = await partner.get(`/v1/transactions/${id}`);
  expect(shown.body.data).toMatchObject({
    type: 'wallet_funding',
    metadata: {
      inbound: {
        sender_name: 'BOLA ADE',
        sender_bank: 'Zenith Bank',
        sender_account_number: 'XXXXXX0011',
        narration: null,
      },
    },
  });
});

test('of two proposals for two wallets the one that is approved first is carried out', async () => {
  const [creditId, one, other] = [await unallocated(), await partner.wallet(), await partner.wallet()];
  const [first, second] = [await propose(creditId, one), await propose(creditId, other)];
  expect(await approvedBy(second, bola)).toMatchObject({ status: 200 });
  expect(await approvedBy(first, bola)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  expect(await propose(creditId, one)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  expect([await partner.balanceKobo(one), await partner.balanceKobo(other)]).toEqual([0, AMOUNT_KOBO]);
});

test('where the wallet has no room, the payment still waits, and goes to another wallet', async () => {
  const full = await partner.wallet({ fundKobo: Number.MAX_SAFE_INTEGER - AMOUNT_KOBO + 1 });
  const [creditId, other] = [await unallocated(), await partner.wallet()];
  // It is refused when it is proposed, and not only when it is approved.
  expect(await propose(creditId, full)).toMatchObject({ status: 422, body: { error: 'LIMIT_EXCEEDED' } });
  expect(await openFindings(creditId)).toHaveLength(1);
  expect(await approvedBy(await propose(creditId, other), bola)).toMatchObject({ status: 200 });
  expect(await partner.balanceKobo(other)).toBe(AMOUNT_KOBO);
});

test('nothing is proposed for a closed wallet, a wallet of nobody, or a payment that does not wait', async () => {
  const creditId = await unallocated();
  const closed = await partner.wallet({ status: 'closed' });
  expect(await propose(creditId, closed)).toMatchObject({ status: 422, body: { error: 'WALLET_CLOSED' } });
  expect(await propose(creditId, newId())).toMatchObject({ body: { error: 'WALLET_NOT_FOUND' } });
  expect(await propose(newId(), await partner.wallet())).toMatchObject({ status: 404 });
});

test('who has paid is opened by an operator who says why, and the trail keeps it', async () => {
  const creditId = await unallocated();
  const path = `/ops/live/credits/${creditId}`;
  expect(await ada.get(path)).toMatchObject({ status: 422 });
  const shown = await ada.get(`${path}?reason=Whose%20money%20it%20is`);
  expect(shown).toMatchObject({
    status: 200,
    body: {
      data: {
        amount_kobo: AMOUNT_KOBO,
        account_number: '9930000902',
        sender: { sender_name: 'BOLA ADE', sender_bank: 'Zenith Bank', sender_account_number: 'XXXXXX0011' },
      },
    },
  });
  expect(
    await world.sql(`SELECT action FROM platform.audit WHERE resource LIKE '%' || $1 || '%'`, [creditId]),
  ).toContainEqual({ action: 'showCredit' });
  expect(await ada.get(`/ops/live/credits/${newId()}?reason=Complaint%2017`)).toMatchObject({ status: 404 });
});

describe('a payment goes back to its payer', () => {
  const refund = (creditId: string, environment = 'live') =>
    ada.post(`/ops/${environment}/credits/${creditId}/refund`, EVIDENCE);
  const release = (creditId: string) => ada.post(`/ops/live/credits/${creditId}/release-refund`, EVIDENCE);
  const refundsOf = (creditId: string) =>
    world.sql(`SELECT id, state, is_posted FROM ${LIVE_CELL}.inbound_refunds WHERE credit_id = $1`, [
      creditId,
    ]);
  /** As if the order had been sent so long ago. */
  const sent = (creditId: string, minutes: number) =>
    world.sql(
      `UPDATE ${LIVE_CELL}.inbound_refunds
          SET is_posted = true, updated_at = now() - $2 * interval '1 minute' WHERE credit_id = $1`,
      [creditId, minutes],
    );

  test('by the approval of a second operator, once, with its workflow; nothing is booked yet', async () => {
    const creditId = await unallocated();
    const proposed = await refund(creditId);
    expect(proposed).toMatchObject({
      status: 202,
      body: {
        data: {
          kind: 'refund_credit',
          partner_id: null,
          terms: {
            credit_id: creditId,
            amount_kobo: AMOUNT_KOBO,
            provider: 'paystack',
            evidence_ref: 'CASE-7',
          },
        },
      },
    });
    expect(await approvedBy(proposed, ada)).toMatchObject({ status: 403 });
    expect(await refundsOf(creditId)).toEqual([]);
    for (const approval of [await approvedBy(proposed, bola), await approvedBy(proposed, bola)]) {
      expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
    }
    const { id } = proposed.body.data;
    expect(await refundsOf(creditId)).toEqual([{ id, state: 'sending', is_posted: false }]);
    expect(
      await world.sql(`SELECT workflow_id FROM ${LIVE_CELL}.workflow_intentions WHERE resource_id = $1`, [
        id,
      ]),
    ).toEqual([{ workflow_id: `refund/${id}` }]);
    expect([await entriesOf(id), await openFindings(creditId)]).toEqual([
      [],
      [{ class: 'payment_unallocated' }],
    ]);
  });

  test('or to a wallet, never both, whichever is approved first', async () => {
    const [one, other, walletId] = [await unallocated(), await unallocated(), await partner.wallet()];
    const [back, toWallet] = [await refund(one), await propose(one, walletId)];
    expect(await approvedBy(back, bola)).toMatchObject({ status: 200 });
    expect(await approvedBy(toWallet, bola)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    expect(await propose(one, walletId)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    expect(await refund(one)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });

    const late = await refund(other);
    expect(await approvedBy(await propose(other, walletId), bola)).toMatchObject({ status: 200 });
    expect(await approvedBy(late, bola)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    expect(await refund(other)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    expect(await partner.balanceKobo(walletId)).toBe(AMOUNT_KOBO);
    expect(await refundsOf(other)).toEqual([]);
  });

  test('but not where no such payment waits', async () => {
    expect(await refund(newId())).toMatchObject({ status: 404 });
    expect(await refund('none')).toMatchObject({ status: 404 });
    expect(await refund(await unallocated(), 'sandbox')).toMatchObject({ status: 404 });
  });

  test('an order of unknown fate is given up by two, once its company does not know it; then another is ordered', async () => {
    const creditId = await unallocated();
    await approvedBy(await refund(creditId), bola);
    expect(await release(creditId)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    await sent(creditId, 14);
    expect(await release(creditId)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    await sent(creditId, 16);
    says = 'pending';
    expect(await release(creditId)).toMatchObject({ status: 422, body: { error: 'PROVIDER_DISAGREES' } });
    says = 'not_found';
    const proposed = await release(creditId);
    says = 'success';
    expect(await approvedBy(proposed, bola)).toMatchObject({
      status: 422,
      body: { error: 'PROVIDER_DISAGREES' },
    });
    says = 'not_found';
    const again = await release(creditId);
    expect(again).toMatchObject({
      status: 202,
      body: { data: { kind: 'release_refund', partner_id: null } },
    });
    expect(await approvedBy(again, bola)).toMatchObject({ status: 200 });
    expect(await refundsOf(creditId)).toMatchObject([{ state: 'released' }]);
    expect(await openFindings(creditId)).toEqual([{ class: 'payment_unallocated' }]);
    expect(await approvedBy(await refund(creditId), bola)).toMatchObject({ status: 200 });
    expect(await refundsOf(creditId)).toHaveLength(2);
  });
});
