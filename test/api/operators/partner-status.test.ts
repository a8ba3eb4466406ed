/** Operators change a partner's status: every command in every state, and what closing needs (D37, D103). */
import { newId } from '../../../src/db/pg/ids';
import { PARTNER_STATUSES, type PartnerStatus } from '../../../src/domain/partners';
import { approvedBy } from '../../support/operators';
import { apiForFile, operatorForFile } from '../../support/scene';
import { LIVE_CELL } from '../../setup/cells';
import { unchecked } from '../../support/past-checks';

const { world, api } = apiForFile();
const operator = operatorForFile(api);

type Command = 'suspend' | 'reinstate' | 'close';
const tell = async (partnerId: string, command: Command) => {
  const answer = await operator.post(`/ops/partners/${partnerId}/${command}`, { reason: 'Because' });
  if (answer.status !== 202) return answer;
  await approvedBy(answer, await api.operator());
  return operator.get(`/ops/partners/${partnerId}`);
};
const statusOf = async (id: string): Promise<string> =>
  (await operator.get(`/ops/partners/${id}`)).body.data.status;

const NOWHERE = { suspend: null, reinstate: null, close: 'closed' } as const;
const TABLE: Record<PartnerStatus, Record<Command, PartnerStatus | null>> = {
  registered: NOWHERE,
  pending_review: NOWHERE,
  active: { ...NOWHERE, suspend: 'suspended' },
  suspended: { ...NOWHERE, reinstate: 'active' },
  closed: { ...NOWHERE, close: null },
};

test.each(
  PARTNER_STATUSES.flatMap((status) =>
    (['suspend', 'reinstate', 'close'] as const).map(
      (command) => [status, command, TABLE[status][command]] as const,
    ),
  ),
)('%s, %s: %s', async (status, command, after) => {
  const { id } = await api.partner({ status });
  const answer = await tell(id, command);
  expect(answer).toMatchObject(
    after === null
      ? { status: 422, body: { error: 'INVALID_STATE', message: `The partner is ${status}` } }
      : { status: 200, body: { data: { id, status: after } } },
  );
  expect(await statusOf(id)).toBe(after ?? status);
});

test.each(['suspend', 'reinstate', 'close'] as const)(
  '%s of an unknown partner: 404; without a reason: 422',
  async (command) => {
    expect(await tell(newId(), command)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    const { id } = await api.partner({ status: 'active' });
    expect(await operator.post(`/ops/partners/${id}/${command}`, {})).toMatchObject({ status: 422 });
    expect(await statusOf(id)).toBe('active');
  },
);

describe('closing', () => {
  test('is refused until the live wallets are empty, and then closes them too', async () => {
    const live = await api.partner({ environment: 'live', status: 'active' });
    const [empty, full] = [await live.wallet(), await live.wallet({ fundKobo: 700 })];
    expect(await tell(live.id, 'close')).toMatchObject({
      status: 422,
      body: { error: 'WALLET_NOT_EMPTY', detail: { balance_kobo: 700, open_transactions: 0 } },
    });
    expect(await statusOf(live.id)).toBe('active');
    const statuses = async () =>
      world.sql(`SELECT status FROM ${LIVE_CELL}.accounts WHERE id = ANY($1) ORDER BY id`, [[empty, full]]);
    expect(await statuses()).toEqual([{ status: 'active' }, { status: 'active' }]);

    // The balances as a payout would leave them.
    await world.sql(
      unchecked(`UPDATE ${LIVE_CELL}.accounts SET balance_kobo = 0 WHERE partner_id = '${live.id}'`),
    );
    expect(await tell(live.id, 'close')).toMatchObject({ status: 200, body: { data: { status: 'closed' } } });
    expect(await statuses()).toEqual([{ status: 'closed' }, { status: 'closed' }]);
  });

  test('closes what waits for an account too, tells its workflow, and has companies give accounts up', async () => {
    const live = await api.partner({ environment: 'live', status: 'active' });
    const [pending, outside, own] = [
      await live.wallet({ status: 'pending' }),
      await live.wallet(),
      await live.wallet(),
    ];
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.provider_customers (wallet_id, partner_id, provider) VALUES ($1, $2, 'monnify')`,
      [outside, live.id],
    );
    const told = jest
      .spyOn(api.environments.live.relay, 'tellOfNewsLater')
      .mockImplementation(() => undefined);
    expect(await tell(live.id, 'close')).toMatchObject({ status: 200 });
    expect(told.mock.calls.flatMap(([, news]) => news.map(({ walletId }) => walletId))).toEqual([pending]);
    told.mockRestore();
    const rows = await world.sql(
      `SELECT a.id, a.status, w.news_at IS NOT NULL AS has_news, i.workflow_id
         FROM ${LIVE_CELL}.accounts a JOIN ${LIVE_CELL}.wallets w USING (id)
         LEFT JOIN ${LIVE_CELL}.workflow_intentions i ON i.resource_id = a.id AND i.workflow_type = 'accountClosing'
        WHERE a.partner_id = $1 ORDER BY a.id`,
      [live.id],
    );
    expect(rows).toEqual([
      { id: pending, status: 'closed', has_news: true, workflow_id: null },
      { id: outside, status: 'closed', has_news: false, workflow_id: `account-closing/${outside}` },
      { id: own, status: 'closed', has_news: false, workflow_id: null },
    ]);
  });

  test('is refused while a transfer is under way', async () => {
    const live = await api.partner({ environment: 'live', status: 'active' });
    const source = await live.wallet();
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
         dest_account, account_name_sealed, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at,
         updated_at)
       VALUES ($1, $2, 'r', 'bank_transfer', 'processing', 1, $3, '{}', 'nobody', 0, 0, 0, 1, now(), now())`,
      [newId(), live.id, source],
    );
    expect(await tell(live.id, 'close')).toMatchObject({
      status: 422,
      body: { error: 'WALLET_NOT_EMPTY', detail: { balance_kobo: 0, open_transactions: 1 } },
    });
  });

  test('ignores sandbox balances, and ends the credentials of both environments', async () => {
    const partner = await api.partner({ status: 'active' });
    await partner.wallet({ fundKobo: 5_000 });
    expect(await tell(partner.id, 'close')).toMatchObject({ status: 200 });
    const fresh = partner.at(await world.startApi());
    expect(await fresh.get(`/v1/wallets/${newId()}`)).toMatchObject({ status: 401 });
  });

  test('closes 1,201 wallets together with the partner', async () => {
    const { id } = await api.partner({ environment: 'live', status: 'active' });
    await world.sql(
      `WITH made AS (INSERT INTO ${LIVE_CELL}.accounts (id, partner_id, status)
                     SELECT gen_random_uuid(), $1, CASE n % 3 WHEN 0 THEN 'frozen' ELSE 'active' END
                       FROM generate_series(1, 1201) n RETURNING id)
       INSERT INTO ${LIVE_CELL}.wallets (id, partner_id, user_ref) SELECT id, $1, id::text FROM made`,
      [id],
    );
    const counted = () =>
      world.sql(`SELECT status, count(*)::int FROM ${LIVE_CELL}.accounts WHERE partner_id = $1 GROUP BY 1`, [
        id,
      ]);
    expect(await tell(id, 'close')).toMatchObject({ status: 200 });
    expect(await counted()).toEqual([{ status: 'closed', count: 1201 }]);
  });
});

test('a suspended partner can only read in live, and can still do everything in the sandbox', async () => {
  const { id } = await api.partner({ status: 'active' });
  expect(await tell(id, 'suspend')).toMatchObject({ status: 200 });
  const at = await world.startApi();
  const live = (await api.partner({ id, environment: 'live' })).at(at);
  const sandbox = (await api.partner({ id })).at(at);
  const body = { user_ref: `u-${newId()}` };
  expect(await live.post('/v1/wallets', body)).toMatchObject({
    status: 403,
    body: { error: 'PARTNER_NOT_ACTIVE' },
  });
  expect(await live.get(`/v1/wallets/${newId()}`)).toMatchObject({ status: 404 });
  expect(await sandbox.post('/v1/wallets', body)).toMatchObject({ status: 202 });
});
