/**
 * Operators freeze wallets on an order, with or without an end; the partner cannot lift such a freeze (D26, D137).
 */
import { newId } from '../../../src/db/pg/ids';
import { WALLET_STATUSES } from '../../../src/domain/wallets';
import { apiForFile, operatorForFile, partnerForFile } from '../../support/scene';
import { SANDBOX_CELL } from '../../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const operator = operatorForFile(api);

type Command = 'freeze' | 'unfreeze';
const ORDER = { reason: 'Suspected fraud', authority: 'Federal High Court, FHC/L/CS/17' };
const tell = (walletId: string, command: Command, body: object = ORDER, partnerId = partner.id) =>
  operator.post(`/ops/sandbox/partners/${partnerId}/wallets/${walletId}/${command}`, body);
const statusOf = async (walletId: string): Promise<string> =>
  (await partner.get(`/v1/wallets/${walletId}`)).body.data.wallet.status;

const AFTER: Record<Command, Record<(typeof WALLET_STATUSES)[number], string | null>> = {
  // An operator who freezes a wallet that the partner froze takes the freeze over.
  freeze: { pending: null, active: 'frozen', frozen: 'frozen', closed: null },
  unfreeze: { pending: null, active: null, frozen: 'active', closed: null },
};

test.each(
  WALLET_STATUSES.flatMap((status) =>
    (['freeze', 'unfreeze'] as const).map((command) => [status, command, AFTER[command][status]] as const),
  ),
)('%s, %s: %s', async (status, command, after) => {
  const walletId = await partner.wallet({ status });
  expect(await tell(walletId, command)).toMatchObject(
    after === null
      ? { status: 422, body: { error: 'INVALID_WALLET_STATE' } }
      : { status: 200, body: { data: { id: walletId, status: after } } },
  );
  expect(await statusOf(walletId)).toBe(after ?? status);
});

test('the partner can neither lift the freeze nor close the wallet, and does not see the reason', async () => {
  const walletId = await partner.wallet({ fundKobo: 100 });
  expect((await tell(walletId, 'freeze')).text).not.toContain('fraud');
  for (const move of ['unfreeze', 'freeze', 'close']) {
    expect(await partner.post(`/v1/wallets/${walletId}/${move}`)).toMatchObject({
      status: 422,
      body: { error: 'INVALID_WALLET_STATE' },
    });
  }
  expect((await partner.get(`/v1/wallets/${walletId}`)).text).not.toContain('fraud');
  const body = {
    source_wallet: walletId,
    dest_wallet: await partner.wallet(),
    amount: 10,
    reference: newId(),
  };
  expect(await partner.post('/v1/transfers/p2p', body)).toMatchObject({ body: { error: 'WALLET_FROZEN' } });

  expect(await tell(walletId, 'unfreeze', { reason: 'Order lifted' })).toMatchObject({ status: 200 });
  expect(await partner.post('/v1/transfers/p2p', body)).toMatchObject({ status: 200 });
  const kept = await world.sql(
    `SELECT action, actor, operator_id, reason, authority FROM ${SANDBOX_CELL}.wallet_actions WHERE wallet_id = $1 ORDER BY id`,
    [walletId],
  );
  expect(kept).toEqual([
    { action: 'freeze', actor: 'operator', operator_id: operator.id, ...ORDER },
    {
      action: 'unfreeze',
      actor: 'operator',
      operator_id: operator.id,
      reason: 'Order lifted',
      authority: null,
    },
  ]);
});

test('a freeze with an end ends by itself', async () => {
  const walletId = await partner.wallet();
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  expect(await tell(walletId, 'freeze', { ...ORDER, expires_at: inAnHour })).toMatchObject({ status: 200 });
  expect(await statusOf(walletId)).toBe('frozen');
  await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET frozen_until = now() WHERE id = $1`, [walletId]);
  expect(await statusOf(walletId)).toBe('active');
});

test.each<[string, object]>([
  ['no reason', { reason: undefined }],
  ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }],
  ['an end that is no time', { expires_at: 'tomorrow' }],
  ['an end without a zone', { expires_at: '2030-01-01T00:00:00' }],
])('a freeze with %s is refused', async (_what, change) => {
  const walletId = await partner.wallet();
  expect(await tell(walletId, 'freeze', { ...ORDER, ...change })).toMatchObject({
    status: 422,
    body: { error: 'VALIDATION_ERROR' },
  });
  expect(await statusOf(walletId)).toBe('active');
});

test('an absent wallet or one of another partner is not found', async () => {
  const other = await api.partner();
  const walletId = await partner.wallet();
  for (const [id, partnerId] of [[newId()], ['x'], [walletId, other.id]] as const) {
    expect(await tell(id, 'freeze', ORDER, partnerId)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND' },
    });
  }
});
