/** Partners, stuck transfers and wallets, and the trail that every command leaves (D91, G35). */
import { openWorld, type Json, type TestApi, type World } from '../../support/api';
import { approvedBy, type TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { send } from '../../support/send';
import { TEST_SECRETS } from '../../support/settings';
import { verifyAudit } from '../../../src/db/upkeep/audit';
import { newId } from '../../../src/db/pg/ids';
import { OPERATOR_ROUTES } from '../../../src/api/operator/routes';
import { SANDBOX_CELL } from '../../setup/cells';

let world: World;
let api: TestApi;
let operator: TestOperator;
let partner: TestPartner;

beforeAll(async () => {
  world = await openWorld();
  api = await world.startApi({ RATE_LIMIT_STARTER: '100000', RATE_LIMIT_SCALE: '200000' });
  operator = await api.operator();
  partner = await api.partner();
});
afterAll(async () => {
  const key = Buffer.from(TEST_SECRETS.AUDIT_KEY, 'base64');
  const db = { query: async (text: string, values?: unknown[]) => ({ rows: await world.sql(text, values) }) };
  expect(await verifyAudit(db as never, [key])).toMatchObject({ ok: true });
  await world.close();
});

const trailOf = async (requestId: string): Promise<Json[]> =>
  world.sql(
    `SELECT action, phase, detail, resource, operator_name FROM platform.audit WHERE request_id = $1 ORDER BY sequence`,
    [requestId],
  );
const requestOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? '';

describe('partners', () => {
  test('are listed newest first, by status, in pages', async () => {
    const made: string[] = [];
    for (const status of ['suspended', 'suspended', 'active'] as const) {
      made.push((await api.partner({ status })).id);
    }
    const list = async (query: string) => (await operator.get(`/ops/partners?${query}`)).body;
    const first = await list('status=suspended&limit=1');
    expect(first.data).toHaveLength(1);
    expect(first.data[0]).toMatchObject({ id: made[1], status: 'suspended', tier: 'starter' });
    const next = await list(`status=suspended&limit=1&cursor=${first.meta.next_cursor}`);
    expect(next).toMatchObject({ data: [{ id: made[0] }], meta: { has_more: false, next_cursor: null } });
    expect((await list('')).data.map((one: Json) => one.id)).toContain(made[2]);
    for (const bad of ['status=happy', 'limit=0', 'cursor=x', `cursor=${first.meta.next_cursor}`]) {
      expect(await operator.get(`/ops/partners?${bad}`)).toMatchObject({ status: 422 });
    }
  });

  test('one is shown; an unknown one is not found', async () => {
    expect((await operator.get(`/ops/partners/${partner.id}`)).body.data).toMatchObject({ id: partner.id });
    for (const id of [newId(), 'x'])
      expect(await operator.get(`/ops/partners/${id}`)).toMatchObject({ status: 404 });
  });

  test('a change of tier is in force soon', async () => {
    const { id, get } = await api.partner();
    const proposed = await operator.post(`/ops/partners/${id}/tier`, { tier: 'scale', reason: 'Grown' });
    expect(await approvedBy(proposed, await api.operator())).toMatchObject({ status: 200 });
    expect((await operator.get(`/ops/partners/${id}`)).body.data).toMatchObject({ id, tier: 'scale' });
    const limit = (await get(`/v1/wallets/${newId()}`)).headers.get('x-ratelimit-limit');
    expect(limit).toBe('200000');
  });

  test.each<[string, unknown]>([
    ['an unknown tier', { tier: 'huge', reason: 'x' }],
    ['no reason', { tier: 'scale' }],
    ['no body', undefined],
    ['a list', []],
    ['broken JSON', '{'],
  ])('a change of tier with %s is refused, and changes nothing', async (_what, body) => {
    const answer = await operator.post(`/ops/partners/${partner.id}/tier`, body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect((await operator.get(`/ops/partners/${partner.id}`)).body.data.tier).toBe('starter');
    expect(await trailOf(requestOf(answer))).toMatchObject([{ phase: 'refused' }]);
  });
});

describe('a bank transfer', () => {
  const transfer = async () => {
    const walletId = await partner.wallet({ fundKobo: 100_000 });
    const body = {
      source_wallet: walletId,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA' },
      amount: 10_000,
      reference: newId(),
    };
    return (await partner.post('/v1/transfers/bank', body)).body.data.id as string;
  };
  const resolve = (id: string, body: object, partnerId = partner.id) =>
    operator.post(`/ops/sandbox/partners/${partnerId}/bank-transfers/${id}/resolve`, body);
  const EVIDENCE = { to: 'completed', note: 'Seen on the statement', evidence_ref: 'NIBSS-1' };

  test('without Temporal the evidence ends it, once', async () => {
    const id = await transfer();
    const answer = await resolve(id, EVIDENCE);
    expect(answer).toMatchObject({ status: 200, body: { data: { id, status: 'completed' } } });
    expect(await trailOf(requestOf(answer))).toMatchObject([{ phase: 'asked' }, { phase: 'done' }]);
    expect(await resolve(id, { ...EVIDENCE, to: 'failed' })).toMatchObject({
      status: 422,
      body: { error: 'TRANSACTION_NOT_PROCESSING' },
    });
    const shown = await operator.get(
      `/ops/sandbox/partners/${partner.id}/transactions/${id}?reason=Complaint%2017`,
    );
    expect(shown.body.data).toMatchObject({ id, status: 'completed' });
  });

  test.each<[string, object]>([
    ['an unknown outcome', { ...EVIDENCE, to: 'reversed' }],
    ['no note', { ...EVIDENCE, note: ' ' }],
    ['no evidence', { to: 'failed', note: 'x' }],
  ])('is not resolved with %s', async (_what, body) => {
    expect(await resolve(await transfer(), body)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
  });

  test('that has ended, or is no bank transfer, is refused', async () => {
    const id = await transfer();
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET status = 'completed', completed_at = now() WHERE id = $1`,
      [id],
    );
    expect(await resolve(id, { ...EVIDENCE, to: 'failed' })).toMatchObject({
      status: 422,
      body: { error: 'TRANSACTION_NOT_PROCESSING', message: 'The transaction is completed' },
    });
    const walletId = await partner.wallet();
    const funded = await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 1 });
    expect(await resolve(funded.body.transaction_id, EVIDENCE)).toMatchObject({
      status: 422,
      body: { error: 'TRANSACTION_NOT_PROCESSING' },
    });
  });

  test('that does not exist, or is of another partner or the other environment, is not found', async () => {
    const id = await transfer();
    const other = await api.partner();
    for (const answer of [
      await resolve(newId(), EVIDENCE),
      await resolve('x', EVIDENCE),
      await resolve(id, EVIDENCE, other.id),
      await resolve(id, EVIDENCE, newId()),
      await operator.post(`/ops/live/partners/${partner.id}/bank-transfers/${id}/resolve`, EVIDENCE),
      await operator.post(`/ops/moon/partners/${partner.id}/bank-transfers/${id}/resolve`, EVIDENCE),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      expect(await trailOf(requestOf(answer))).toMatchObject([{ phase: 'asked' }, { phase: 'refused' }]);
    }
  });
});

describe('the account number of a wallet', () => {
  const retry = (walletId: string) =>
    operator.post(`/ops/sandbox/partners/${partner.id}/wallets/${walletId}/provisioning/retry`);

  const givenUp = (walletId: string, body: object = { reason: 'Closed at the company' }) =>
    operator.post(`/ops/sandbox/partners/${partner.id}/wallets/${walletId}/account/given-up`, body);
  const ordered = async (walletId: string): Promise<string> => {
    await world.sql(
      `INSERT INTO ${SANDBOX_CELL}.provider_customers (wallet_id, partner_id, provider) VALUES ($1, $2, 'monnify')`,
      [walletId, partner.id],
    );
    return walletId;
  };
  const closedFor = async (hours: number): Promise<string> => {
    const walletId = await partner.wallet({ status: 'closed' });
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.wallets SET updated_at = now() - $2 * interval '1 hour' WHERE id = $1`,
      [walletId, hours],
    );
    return walletId;
  };

  test('is given up by its company when an operator says so, a day after the closing; twice is once', async () => {
    const walletId = await ordered(await closedFor(24));
    for (let times = 0; times < 2; times++) expect((await givenUp(walletId)).status).toBe(200);
    const rows = await world.sql(
      `SELECT closed_at FROM ${SANDBOX_CELL}.provider_customers WHERE wallet_id = $1`,
      [walletId],
    );
    expect(rows).toEqual([{ closed_at: expect.any(Date) }]);
  });

  test.each<[what: string, walletId: () => Promise<string>]>([
    ['of a wallet that was closed later', async () => ordered(await closedFor(23))],
    ['of a wallet that is active', async () => ordered(await partner.wallet())],
    ['that was never ordered of a company', () => closedFor(24)],
  ])('%s is not given up by an operator', async (_what, walletId) => {
    expect(await givenUp(await walletId())).toMatchObject({
      status: 422,
      body: { error: 'INVALID_WALLET_STATE' },
    });
  });

  test('is asked for again while the wallet is pending: without Temporal 503', async () => {
    expect(await retry(await partner.wallet({ status: 'pending' }))).toMatchObject({ status: 503 });
  });

  test.each(['active', 'frozen', 'closed'] as const)(
    'is not asked for when the wallet is %s',
    async (status) => {
      expect(await retry(await partner.wallet({ status }))).toMatchObject({
        status: 422,
        body: { error: 'INVALID_WALLET_STATE' },
      });
    },
  );

  test('an unknown wallet is not found', async () => {
    expect(await retry(newId())).toMatchObject({ status: 404 });
    const unknown = `/ops/sandbox/partners/${partner.id}/wallets/${newId()}?reason=Complaint%2017`;
    expect(await operator.get(unknown)).toMatchObject({ status: 404 });
  });

  test('a wallet is shown with its balance', async () => {
    const walletId = await partner.wallet({ fundKobo: 5 });
    const shown = await operator.get(
      `/ops/sandbox/partners/${partner.id}/wallets/${walletId}?reason=Complaint%2017`,
    );
    expect(shown.body.data).toMatchObject({ balance_kobo: 5, wallet: { id: walletId } });
  });
});

describe('the trail', () => {
  test('of a command has its request from before it and its result from after it', async () => {
    const answer = await operator.post(`/ops/partners/${partner.id}/tier`, {
      tier: 'starter',
      reason: 'Asked for',
    });
    const rows = await trailOf(requestOf(answer));
    expect(rows).toEqual([
      {
        action: 'setPartnerTier',
        phase: 'asked',
        detail: '{"tier":"starter","reason":"Asked for"}',
        resource: `/ops/partners/${partner.id}/tier`,
        operator_name: operator.name,
      },
      expect.objectContaining({ phase: 'done', detail: '{"status":200}' }),
    ]);
  });

  test('of a viewer’s command has its refusal; reading what names no people leaves no row', async () => {
    const viewer = await api.operator('viewer');
    const refused = await viewer.post(`/ops/partners/${partner.id}/tier`, { tier: 'scale', reason: 'x' });
    expect(await trailOf(requestOf(refused))).toMatchObject([
      { phase: 'refused', operator_name: viewer.name },
    ]);
    expect(await trailOf(requestOf(await viewer.get('/ops/partners')))).toEqual([]);
  });

  describe('of a person’s data has who read what, and why', () => {
    const VIEWS = OPERATOR_ROUTES.filter(({ showsPeople }) => showsPeople).map(({ path }) => path);
    const concrete = (path: string) =>
      path.replace(':environment', 'sandbox').replace(':partner_id', partner.id).replace(/:\w+/g, newId);

    /** Every read of the port, and whether it shows people. A new one cannot be added without a row here. */
    const READS: readonly [path: string, showsPeople: boolean][] = [
      ['/ops/partners', false],
      ['/ops/partners/:partner_id', false],
      ['/ops/partners/:partner_id/contact', true],
      ['/ops/partners/:partner_id/users', true],
      ['/ops/:environment/partners/:partner_id/compliance', true],
      ['/ops/:environment/partners/:partner_id/wallets/:wallet_id', true],
      ['/ops/:environment/partners/:partner_id/wallets/:wallet_id/person', true],
      ['/ops/:environment/partners/:partner_id/transactions/:transaction_id', true],
      ['/ops/:environment/partners/:partner_id/bank-transfers/:transaction_id/attempts', false],
      ['/ops/proposals', false],
      ['/ops/proposals/:proposal_id', false],
      ['/ops/:environment/credits/:credit_id', true],
      ['/ops/operators', false],
      ['/ops/legal-holds', false],
      ['/ops/:environment/providers', false],
      ['/ops/:environment/payout-routes', false],
      ['/ops/:environment/attempts', false],
      ['/ops/:environment/untaken-transfers', false],
      ['/ops/:environment/waiting', false],
      ['/ops/:environment/findings', false],
      ['/ops/:environment/findings/:finding_id', false],
      ['/ops/:environment/days', false],
      ['/ops/:environment/days/:provider/:day', false],
      ['/ops/audit', false],
    ];

    test('every read of the port is in the table', () => {
      const reads = OPERATOR_ROUTES.filter(({ method }) => method === 'GET');
      expect(reads.map(({ path, showsPeople }) => [path, showsPeople])).toEqual(READS);
    });

    describe('of a customer who pays a customer', () => {
      const NAME = 'Zubenelgenubi';
      const ids: Record<string, string> = {};
      beforeAll(async () => {
        const wallet_id = await partner.wallet({ metadata: { first_name: NAME }, fundKobo: 1_000 });
        const paid = await partner.post('/v1/transfers/p2p', {
          source_wallet: wallet_id,
          dest_wallet: await partner.wallet(),
          amount: 100,
          reference: newId(),
          description: NAME,
        });
        const raise = { tier: 'scale', reason: 'Contract' };
        const proposed = await operator.post(`/ops/partners/${partner.id}/tier`, raise);
        const finding_id = newId();
        await world.sql(
          `INSERT INTO ${SANDBOX_CELL}.recon_findings (id, class, resource, detail) VALUES ($1, 'event_missing', $2, '{}')`,
          [finding_id, paid.body.data.id],
        );
        await world.sql(
          `INSERT INTO sandbox_directory.provider_days (provider, day, opening_kobo, closing_kobo, lines, books_kobo,
             under_way_kobo, receivable_kobo) VALUES ('first', '2026-11-20', 0, 0, 0, 0, 0, 0)`,
        );
        const credit_id = newId();
        await world.sql(
          `INSERT INTO sandbox_directory.inbound_claims (provider, reference, credit_id, cell)
           VALUES ('first', 'shown', $1, $2)`,
          [credit_id, SANDBOX_CELL],
        );
        await world.sql(
          `INSERT INTO ${SANDBOX_CELL}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, account_number)
           VALUES ($1, 'first', 'shown', 'shown', 1, '9930000902')`,
          [credit_id],
        );
        Object.assign(ids, {
          credit_id,
          environment: 'sandbox',
          partner_id: partner.id,
          wallet_id,
          transaction_id: paid.body.data.id,
          proposal_id: proposed.body.data.id,
          finding_id,
          provider: 'first',
          day: '2026-11-20',
        });
      });

      test.each(READS)('%s; it shows people: %s', async (path, showsPeople) => {
        const at = path.replace(/:(\w+)/g, (_all, name: string) => ids[name]!);
        const answer = await operator.get(showsPeople ? `${at}?reason=Complaint%2017` : at);
        expect(answer.status).toBe(200);
        expect(await trailOf(requestOf(answer))).toHaveLength(showsPeople ? 1 : 0);
        if (!showsPeople) expect(answer.text).not.toMatch(new RegExp(`${NAME}|@`, 'i'));
      });
    });

    test.each(VIEWS)('%s: a reader without a reason sees nothing', async (path) => {
      const nothingSaid = [
        'Case%2017',
        'xxxxxxxxxxxx',
        'x%20x%20x%20x%20x%20x',
        '%20%20%20%20%20%20%20%20%20%20',
        'Complaint',
      ];
      const queries = ['', '?reason=', '?reason=%20', ...nothingSaid.map((reason) => `?reason=${reason}`)];
      for (const query of queries) {
        const answer = await operator.get(concrete(path) + query);
        expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
        expect(await trailOf(requestOf(answer))).toMatchObject([{ phase: 'refused' }]);
      }
    });

    test.each(['contact', 'wallet'])('a viewer who reads a %s is in the trail', async (what) => {
      const viewer = await api.operator('viewer');
      const wallet = `/ops/sandbox/partners/${partner.id}/wallets/${await partner.wallet()}`;
      const path = what === 'wallet' ? wallet : `/ops/partners/${partner.id}/contact`;
      const answer = await viewer.get(`${path}?reason=Complaint%2017`);
      expect(answer.status).toBe(200);
      expect(await trailOf(requestOf(answer))).toEqual([
        {
          action: what === 'wallet' ? 'showWallet' : 'showContact',
          phase: 'done',
          detail: '{"reason":"Complaint 17","status":200}',
          resource: path,
          operator_name: viewer.name,
        },
      ]);
    });

    test('nothing is shown when the trail cannot be written', async () => {
      await world.sql('ALTER TABLE platform.audit RENAME TO audit_away');
      const answer = await operator.get(`/ops/partners/${partner.id}/contact?reason=Complaint%2017`);
      await world.sql('ALTER TABLE platform.audit_away RENAME TO audit');
      expect(answer).toMatchObject({ status: 500, body: { error: 'INTERNAL_ERROR' } });
      expect(answer.text).not.toContain('@');
    });

    test('the list of partners and a partner name no owner', async () => {
      for (const path of ['/ops/partners', `/ops/partners/${partner.id}`]) {
        const answer = await operator.get(path);
        expect(answer.status).toBe(200);
        expect(answer.text).not.toMatch(/email|phone|@/);
      }
    });
  });

  test('a command has no effect when the trail cannot be written', async () => {
    const { id } = await api.partner();
    await world.sql('ALTER TABLE platform.audit RENAME TO audit_away');
    const answer = await operator.post(`/ops/partners/${id}/tier`, { tier: 'scale', reason: 'x' });
    await world.sql('ALTER TABLE platform.audit_away RENAME TO audit');
    expect(answer).toMatchObject({
      status: 500,
      body: { error: 'INTERNAL_ERROR', message: 'Unexpected error' },
    });
    expect((await operator.get(`/ops/partners/${id}`)).body.data.tier).toBe('starter');
  });

  test('is read newest first, in pages', async () => {
    const first = (await operator.get('/ops/audit?limit=2')).body;
    const [one, two] = first.data;
    expect(one.sequence - two.sequence).toBe(1);
    const next = (await operator.get(`/ops/audit?limit=1&cursor=${first.meta.next_cursor}`)).body;
    expect(next.data[0].sequence).toBe(two.sequence - 1);
    expect(await operator.get('/ops/audit?limit=x')).toMatchObject({ status: 422 });
  });

  test('a body of 300,000 bytes is refused before it is read', async () => {
    const answer = await send(
      `http://127.0.0.1:${api.operatorPort}/ops/partners/${partner.id}/tier`,
      'POST',
      {
        key: operator.token,
        body: { tier: 'scale', reason: 'x'.repeat(300_000) },
      },
    );
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });
});
