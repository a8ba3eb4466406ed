/** What one operator alone cannot do where money is real, and what the provider is asked before that (D58, D91). */
import { openWorld, type TestApi, type World } from '../../support/api';
import { saying, withFake } from '../../support/fakes';
import { approvedBy, type TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { revokeOperator } from '../../../src/db/partners/operators';
import { newId } from '../../../src/db/pg/ids';
import type { QueryOutcome } from '../../../src/domain/payouts';
import { PROPOSAL_KINDS, PROPOSALS } from '../../../src/domain/proposals';
import { PERSONAL_DATA } from '../../../src/domain/personal-data';
import { LIVE_CELL } from '../../setup/cells';
import { REHEARSAL } from '../../support/settings';

let world: World;
let api: TestApi;
let live: TestPartner;
let sandbox: TestPartner;
let ada: TestOperator;
let bola: TestOperator;
/** What the payment company answers when it is asked. */
let says: QueryOutcome | 'nothing';

beforeAll(async () => {
  world = await openWorld(REHEARSAL);
  api = await world.startApi({}, (environment) =>
    withFake(environment, ({ name, payouts }) => ({
      name,
      payouts: {
        ...payouts,
        query: () =>
          says === 'nothing' ? Promise.reject(new Error('no answer')) : Promise.resolve(saying(says)),
      },
    })),
  );
  live = await api.partner({ environment: 'live', status: 'active' });
  sandbox = await api.partner({ id: live.id });
  ada = await api.operator();
  bola = await api.operator();
});
afterAll(() => world.close());
beforeEach(() => (says = 'unknown'));

const OF_PARTNER = (environment: string) => `/ops/${environment}/partners/${live.id}`;
const proposalOf = async (id: string) => (await ada.get(`/ops/proposals/${id}`)).body.data;
const ALONE = { status: 403, body: { error: 'FORBIDDEN', message: 'Nobody approves their own proposal' } };

describe('one operator alone does not resolve a live transfer', () => {
  const EVIDENCE = { to: 'failed', note: 'Seen on the statement', evidence_ref: 'NIBSS-1' };
  const transferOf = async (partner: TestPartner): Promise<string> => {
    const body = {
      source_wallet: await partner.wallet({ fundKobo: 100_000 }),
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA' },
      amount: 10_000,
      reference: newId(),
    };
    return (await partner.post('/v1/transfers/bank', body)).body.data.id;
  };
  const resolve = (id: string, body: object = EVIDENCE, environment = 'live') =>
    ada.post(`${OF_PARTNER(environment)}/bank-transfers/${id}/resolve`, body);
  const statusOf = async (id: string): Promise<string> =>
    (await live.get(`/v1/transactions/${id}`)).body.data.status;
  const trailOf = async ({ headers }: { headers: Headers }) => {
    const rows = await world.sql(
      'SELECT phase, detail FROM platform.audit WHERE request_id = $1 ORDER BY sequence',
      [headers.get('x-request-id')],
    );
    return rows.map(({ phase, detail }) => [phase, JSON.parse(detail)]);
  };

  test.each(['failed', 'completed'])(
    'as %s: it is proposed, and nothing happens until another one approves',
    async (to) => {
      const id = await transferOf(live);
      const proposed = await resolve(id, { ...EVIDENCE, to });
      expect(proposed).toMatchObject({
        status: 202,
        body: {
          data: {
            kind: 'resolve_transfer',
            environment: 'live',
            partner_id: live.id,
            status: 'proposed',
            approvals_needed: 1,
            terms: {
              transaction_id: id,
              to,
              note: EVIDENCE.note,
              evidence_ref: 'NIBSS-1',
              provider_says: 'unknown',
            },
            proposed_by: ada.name,
            approved_by: [],
          },
        },
      });
      expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
      expect(await statusOf(id)).toBe('processing');
      // The second person orders it. No Temporal is needed, and the same approval may be sent again.
      for (const approval of [await approvedBy(proposed, bola), await approvedBy(proposed, bola)]) {
        expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
      }
      expect(await statusOf(id)).toBe(to);
      expect(await proposalOf(proposed.body.data.id)).toMatchObject({
        status: 'applied',
        approved_by: [bola.name],
      });
    },
  );

  test.each(['success', 'pending'] as const)(
    'a transfer that the provider calls paid is not failed by hand: %s',
    async (answer) => {
      const [known, unknown] = [await transferOf(live), await transferOf(live)];
      const proposed = await resolve(unknown);
      says = answer;
      const refused = await resolve(known);
      const message = `The provider says that the transfer is ${answer}`;
      expect(refused).toMatchObject({
        status: 422,
        body: { error: 'PROVIDER_DISAGREES', message, detail: { provider_says: answer } },
      });
      expect(await trailOf(refused)).toMatchObject([
        ['asked', { to: 'failed' }],
        ['refused', { code: 'PROVIDER_DISAGREES', detail: { providerSays: answer } }],
      ]);
      // It is asked again when the second person approves.
      expect(await approvedBy(proposed, bola)).toMatchObject({
        status: 422,
        body: { error: 'PROVIDER_DISAGREES' },
      });
      expect(await proposalOf(proposed.body.data.id)).toMatchObject({
        status: 'refused',
        refusal: 'PROVIDER_DISAGREES',
      });
      for (const id of [known, unknown]) expect(await statusOf(id)).toBe('processing');
      expect((await resolve(await transferOf(sandbox), EVIDENCE, 'sandbox')).status).toBe(422);
    },
  );

  test.each([
    ['nothing', 'unknown'],
    ['not_found', 'not_found'],
    ['failed', 'failed'],
  ] as const)('it may be proposed when the provider says %s, which is kept', async (answer, kept) => {
    says = answer;
    expect((await resolve(await transferOf(live))).body.data.terms.provider_says).toBe(kept);
  });

  test('where it has ended, there is nothing to propose', async () => {
    const id = await transferOf(live);
    await world.sql(
      `UPDATE ${LIVE_CELL}.transactions SET status = 'completed', completed_at = now() WHERE id = $1`,
      [id],
    );
    expect(await resolve(id)).toMatchObject({ status: 422, body: { error: 'TRANSACTION_NOT_PROCESSING' } });
    expect(await resolve(id, { ...EVIDENCE, to: 'completed' })).toMatchObject({
      status: 200,
      body: { data: { status: 'completed' } },
    });
  });

  test('as completed it is proposed whatever the provider says, which is kept', async () => {
    says = 'pending';
    const { body } = await resolve(await transferOf(live), { ...EVIDENCE, to: 'completed' });
    expect(body.data.terms.provider_says).toBe('pending');
  });
});

describe('one operator alone does not give up an order of unknown fate', () => {
  const EVIDENCE = { note: 'Not on the statement of the day', evidence_ref: 'PS-1' };
  const OLD = 16;
  /** A transfer with one attempt, whose last order was sent so many minutes ago. */
  async function sent(minutes = OLD, state = 'sending', openPosts = 1): Promise<string> {
    const wallet = await live.wallet({ fundKobo: 100_000 });
    const { body } = await live.post('/v1/transfers/bank', {
      source_wallet: wallet,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA' },
      amount: 10_000,
      reference: newId(),
    });
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts, created_at, updated_at)
       SELECT $1, 1, 'simulator', $2, $3, at, at FROM (SELECT now() - $4 * interval '1 minute' AS at) t`,
      [body.data.id, state, openPosts, minutes],
    );
    return body.data.id;
  }
  const pathOf = (id: string) => `${OF_PARTNER('live')}/bank-transfers/${id}`;
  const release = (id: string) => ada.post(`${pathOf(id)}/release`, EVIDENCE);
  const attemptsOf = async (id: string) => (await ada.get(`${pathOf(id)}/attempts`)).body.data;
  beforeEach(() => (says = 'not_found'));

  test('it is proposed, and released when another one approves; the same approval may be sent again', async () => {
    const id = await sent();
    const proposed = await release(id);
    expect(proposed).toMatchObject({
      status: 202,
      body: {
        data: {
          kind: 'release_payout',
          terms: { transaction_id: id, n: 1, open_posts: 1, provider: 'simulator', evidence_ref: 'PS-1' },
        },
      },
    });
    expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
    expect(await attemptsOf(id)).toMatchObject([{ n: 1, state: 'sending', open_posts: 1 }]);
    for (const approval of [await approvedBy(proposed, bola), await approvedBy(proposed, bola)]) {
      expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
    }
    expect(await attemptsOf(id)).toMatchObject([
      { n: 1, reference: `tx-${id}-1`, state: 'released', open_posts: 1, approved_at: null },
    ]);
  });

  test.each(['success', 'pending', 'failed', 'reversed', 'nothing'] as const)(
    'an order is not given up while its provider says %s',
    async (answer) => {
      const [id, later] = [await sent(), await sent()];
      const proposed = await release(later);
      says = answer;
      for (const refused of [await release(id), await approvedBy(proposed, bola)]) {
        expect(refused).toMatchObject({ status: 422, body: { error: 'PROVIDER_DISAGREES' } });
      }
      for (const one of [id, later]) expect(await attemptsOf(one)).toMatchObject([{ state: 'sending' }]);
    },
  );

  test.each<[string, Parameters<typeof sent>]>([
    ['is younger than 15 minutes', [14]],
    ['was accepted', [OLD, 'accepted']],
    ['was released', [OLD, 'released']],
    ['has no order of unknown fate', [OLD, 'sending', 0]],
  ])('there is nothing to propose where the last attempt %s', async (_what, how) => {
    expect(await release(await sent(...how))).toMatchObject({
      status: 422,
      body: { error: 'INVALID_STATE' },
    });
  });

  test('what was proposed before another order was sent is not carried out', async () => {
    const id = await sent();
    const proposed = await release(id);
    await world.sql(
      `UPDATE ${LIVE_CELL}.transfer_attempts SET open_posts = 2, updated_at = now() WHERE transaction_id = $1`,
      [id],
    );
    expect(await approvedBy(proposed, bola)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    expect(await attemptsOf(id)).toMatchObject([{ state: 'sending', open_posts: 2 }]);
  });
});

describe('one operator alone does not reinstate a suspended partner', () => {
  const tell = (word: string, by = ada) => by.post(`/ops/partners/${live.id}/${word}`, { reason: 'Settled' });
  const statusOf = async (): Promise<string> => (await ada.get(`/ops/partners/${live.id}`)).body.data.status;

  test('it is proposed, and nothing happens until another one approves', async () => {
    expect(await tell('reinstate')).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    await tell('suspend');
    const proposed = await tell('reinstate');
    expect(proposed).toMatchObject({
      status: 202,
      body: { data: { kind: 'reinstate_partner', environment: 'live', terms: { reason: 'Settled' } } },
    });
    expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
    expect(await statusOf()).toBe('suspended');
    // The same approval may be sent again.
    for (const approval of [await approvedBy(proposed, bola), await approvedBy(proposed, bola)]) {
      expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
    }
    expect(await statusOf()).toBe('active');
  });

  test('what was proposed for one suspension does not lift a later one', async () => {
    await tell('suspend');
    const [first, second] = [await tell('reinstate'), await tell('reinstate')];
    await approvedBy(first, bola);
    await tell('suspend');
    expect(await approvedBy(second, bola)).toMatchObject({
      status: 422,
      body: { error: 'INVALID_STATE', message: 'The partner was suspended anew since' },
    });
    expect(await statusOf()).toBe('suspended');
    await approvedBy(await tell('reinstate'), bola);
    expect(await statusOf()).toBe('active');
  });
});

describe('one operator alone does not raise a tier', () => {
  const setTier = (tier: string, by = ada) =>
    by.post(`/ops/partners/${live.id}/tier`, { tier, reason: 'Contract' });
  const tierOf = async (): Promise<string> => (await ada.get(`/ops/partners/${live.id}`)).body.data.tier;

  test('it is proposed, approved by another, and lowered by one', async () => {
    const proposed = await setTier('scale');
    expect(proposed).toMatchObject({
      status: 202,
      body: { data: { kind: 'raise_tier', terms: { from: 'starter', tier: 'scale' } } },
    });
    expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
    expect(await tierOf()).toBe('starter');
    expect(await approvedBy(proposed, bola)).toMatchObject({
      status: 200,
      body: { data: { status: 'applied' } },
    });
    expect(await tierOf()).toBe('scale');
    expect(await setTier('growth')).toMatchObject({ status: 200, body: { data: { tier: 'growth' } } });
  });

  test('a proposal about a tier that has been lowered since is refused', async () => {
    const stale = await setTier('scale');
    await setTier('starter', bola);
    expect(await approvedBy(stale, bola)).toMatchObject({
      status: 422,
      body: { error: 'INVALID_STATE', message: 'The tier is starter' },
    });
    expect(await tierOf()).toBe('starter');
  });
});

describe('one operator alone does not lift a freeze that an operator ordered', () => {
  const ORDER = { reason: 'Suspected fraud', authority: 'Court order 17' };
  const tell = (walletId: string, command: string, body: object = ORDER, by = ada, environment = 'live') =>
    by.post(`${OF_PARTNER(environment)}/wallets/${walletId}/${command}`, body);
  const statusOf = async (walletId: string): Promise<string> =>
    (await live.get(`/v1/wallets/${walletId}`)).body.data.wallet.status;
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  test('it is proposed, and the wallet stays frozen until another approves', async () => {
    const walletId = await live.wallet();
    await tell(walletId, 'freeze');
    const proposed = await tell(walletId, 'unfreeze');
    expect(proposed).toMatchObject({ status: 202, body: { data: { kind: 'unfreeze_wallet' } } });
    expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
    expect(await statusOf(walletId)).toBe('frozen');
    expect(await approvedBy(proposed, bola)).toMatchObject({
      status: 200,
      body: { data: { status: 'applied' } },
    });
    expect(await statusOf(walletId)).toBe('active');
  });

  test('by letting it end sooner; to prolong it needs one person', async () => {
    const walletId = await live.wallet();
    await tell(walletId, 'freeze', { ...ORDER, expires_at: inHours(2) });
    for (const by of [ada, bola]) {
      expect(await tell(walletId, 'freeze', { ...ORDER, expires_at: inHours(1) }, by)).toMatchObject({
        status: 422,
        body: { error: 'INVALID_WALLET_STATE' },
      });
    }
    for (const expires_at of [inHours(3), undefined]) {
      expect(await tell(walletId, 'freeze', { ...ORDER, expires_at })).toMatchObject({ status: 200 });
    }
    const toAnEnd = await tell(walletId, 'freeze', { ...ORDER, expires_at: inHours(9_000) });
    expect(toAnEnd).toMatchObject({ status: 422 });
  });

  test('with a proposal about an earlier freeze', async () => {
    const walletId = await live.wallet();
    await tell(walletId, 'freeze');
    const stale = await tell(walletId, 'unfreeze');
    await tell(walletId, 'freeze', { ...ORDER, authority: 'Court order 18' });
    expect(await approvedBy(stale, bola)).toMatchObject({
      status: 422,
      body: { error: 'INVALID_WALLET_STATE' },
    });
    expect(await statusOf(walletId)).toBe('frozen');
  });

  test('a lift whose answer was lost is done once, and touches no later freeze', async () => {
    const walletId = await live.wallet();
    await tell(walletId, 'freeze');
    const proposed = await tell(walletId, 'unfreeze');
    await approvedBy(proposed, bola);
    await tell(walletId, 'freeze');
    await world.sql(`UPDATE platform.proposals SET status = 'approved' WHERE id = $1`, [
      proposed.body.data.id,
    ]);
    expect(await approvedBy(proposed, bola)).toMatchObject({
      status: 200,
      body: { data: { status: 'applied' } },
    });
    expect(await statusOf(walletId)).toBe('frozen');
    const kept = `SELECT FROM ${LIVE_CELL}.wallet_actions WHERE wallet_id = $1 AND action = 'unfreeze'`;
    expect(await world.sql(kept, [walletId])).toHaveLength(1);
  });

  test('the partner’s own freeze is lifted by one, and in the sandbox every freeze is', async () => {
    const walletId = await live.wallet();
    await live.post(`/v1/wallets/${walletId}/freeze`);
    expect(await tell(walletId, 'unfreeze')).toMatchObject({
      status: 200,
      body: { data: { status: 'active' } },
    });
    const rehearsed = await sandbox.wallet();
    await tell(rehearsed, 'freeze', ORDER, ada, 'sandbox');
    expect(await tell(rehearsed, 'unfreeze', ORDER, ada, 'sandbox')).toMatchObject({ status: 200 });
  });
});

describe('one operator alone does not erase a live customer', () => {
  const erase = (walletId: string, environment = 'live') =>
    ada.post(`${OF_PARTNER(environment)}/wallets/${walletId}/erase-person`, { reason: 'Request 17' });
  const closed = async (partner: TestPartner): Promise<string> => {
    const walletId = await partner.wallet({ metadata: { first_name: 'Ada' } });
    expect((await partner.post(`/v1/wallets/${walletId}/close`, {})).status).toBe(200);
    return walletId;
  };
  const metadataOf = async (walletId: string): Promise<unknown> =>
    (await live.get(`/v1/wallets/${walletId}`)).body.data.wallet.metadata;
  const TOLD = {
    erased: expect.arrayContaining(['name of the account']),
    kept: expect.arrayContaining([
      { what: expect.stringMatching(/^ledger entries/), why: expect.stringContaining('five years') },
    ]),
  };

  test('it is proposed with what goes and what stays, and nothing goes until another approves', async () => {
    const walletId = await closed(live);
    const proposed = await erase(walletId);
    expect(proposed).toMatchObject({
      status: 202,
      body: {
        data: {
          kind: 'erase_person',
          approvals_needed: 1,
          terms: {
            wallet_id: walletId,
            reason: 'Request 17',
            warnings: [expect.stringContaining('AML law asks to keep records of a customer until')],
            ...TOLD,
          },
        },
      },
    });
    expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
    expect(await metadataOf(walletId)).toEqual({ first_name: 'Ada' });
    const approval = await approvedBy(proposed, bola);
    expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied', terms: TOLD } } });
    expect(await metadataOf(walletId)).toEqual({});
    const rows = await world.sql(
      `SELECT phase, detail::json AS detail FROM platform.audit WHERE request_id = $1 ORDER BY sequence`,
      [approval.headers.get('x-request-id')],
    );
    expect(rows).toMatchObject([
      { phase: 'asked' },
      { phase: 'done', detail: { kind: 'erase_person', erasedAt: expect.any(String), ...TOLD } },
    ]);
    // The person is gone, so a second proposal finds nothing, and is carried out all the same.
    expect(await approvedBy(await erase(walletId), bola)).toMatchObject({ status: 200 });
  });

  test('whose wallet is open: nothing is proposed', async () => {
    expect(await erase(await live.wallet())).toMatchObject({
      status: 422,
      body: { error: 'INVALID_WALLET_STATE' },
    });
  });

  test('nor one who was checked and never had a wallet, and only the numbers and the events go', async () => {
    const userRef = 'never-had-a-wallet';
    const [verificationId, eventId] = [newId(), newId()];
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.verifications (id, partner_id, subject, user_ref, type, status, number_sealed,
         number_index, created_at, updated_at, verified_at)
       VALUES ($1, $2, 'end_user', $3, 'bvn', 'verified', 'sealed', 'index', now(), now(), now())`,
      [verificationId, live.id, userRef],
    );
    await world.sql(
      `INSERT INTO ${LIVE_CELL}.events (id, partner_id, kind, resource_id, data, created_at)
       VALUES ($1, $2, 'kyc.verified', $3, $4, now())`,
      [eventId, live.id, verificationId, JSON.stringify({ user_ref: userRef })],
    );
    const left = () =>
      world.sql(
        `SELECT status, number_sealed, (SELECT count(*)::int FROM ${LIVE_CELL}.events WHERE resource_id = v.id) AS events
           FROM ${LIVE_CELL}.verifications v WHERE id = $1`,
        [verificationId],
      );
    const path = `${OF_PARTNER('live')}/verifications/${verificationId}/erase-person`;
    const proposed = await ada.post(path, { reason: 'Request 18' });
    const told = {
      erased: [PERSONAL_DATA.identity_numbers.what, PERSONAL_DATA.events.what],
      kept: expect.arrayContaining([{ what: PERSONAL_DATA.checks.what, why: expect.any(String) }]),
    };
    expect(proposed).toMatchObject({
      status: 202,
      body: {
        data: {
          kind: 'erase_checked_person',
          terms: { warnings: [expect.stringContaining('The last check ended on')], ...told },
        },
      },
    });
    expect(proposed.text).not.toContain(userRef);
    expect(await approvedBy(proposed, ada)).toMatchObject(ALONE);
    expect(await left()).toEqual([{ status: 'verified', number_sealed: 'sealed', events: 1 }]);
    expect(await approvedBy(proposed, bola)).toMatchObject({ status: 200 });
    expect(await left()).toEqual([{ status: 'verified', number_sealed: null, events: 0 }]);
    // Whoever has a wallet is erased with it, and a stranger's check is not found.
    await live.wallet({ userRef });
    expect(await ada.post(path, { reason: 'Request 18' })).toMatchObject({
      status: 422,
      body: { error: 'INVALID_WALLET_STATE' },
    });
    expect((await ada.post(path.replace(verificationId, newId()), { reason: 'x' })).status).toBe(404);
  });

  test('in the sandbox one is enough', async () => {
    const walletId = await closed(sandbox);
    expect(await erase(walletId, 'sandbox')).toMatchObject({
      status: 200,
      body: { data: { wallet_id: walletId, ...TOLD } },
    });
  });
});

describe('a proposal', () => {
  const propose = () => ada.post(`/ops/partners/${live.id}/tier`, { tier: 'scale', reason: 'Contract' });

  test('expires, and is then neither approved nor rejected', async () => {
    const proposed = await propose();
    const { id } = proposed.body.data;
    await world.sql('UPDATE platform.proposals SET expires_at = now() WHERE id = $1', [id]);
    const late = { status: 422, body: { error: 'INVALID_STATE', message: 'The proposal is expired' } };
    expect(await approvedBy(proposed, bola)).toMatchObject(late);
    expect(await ada.post(`/ops/proposals/${id}/reject`, { reason: 'No' })).toMatchObject(late);
    const expired = (await bola.get('/ops/proposals?status=expired')).body.data;
    expect(expired.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await ada.get(`/ops/partners/${live.id}`)).body.data.tier).toBe('starter');
  });

  test('works for 24 hours', async () => {
    const { created_at: from, expires_at: until } = (await propose()).body.data;
    expect(Date.parse(until) - Date.parse(from)).toBe(24 * 3_600_000);
  });

  test('is withdrawn by its proposer, and then not approved', async () => {
    const proposed = await propose();
    const { id } = proposed.body.data;
    expect(await ada.post(`/ops/proposals/${id}/reject`, { reason: 'A mistake' })).toMatchObject({
      status: 200,
      body: { data: { status: 'rejected' } },
    });
    expect(await approvedBy(proposed, bola)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  });

  test('by a token that was stolen and then revoked is not carried out, nor is one that it has approved', async () => {
    const thief = await api.operator();
    const own = await thief.post(`/ops/partners/${live.id}/tier`, { tier: 'scale', reason: 'Contract' });
    const credit = { wallet_id: await live.wallet(), direction: 'credit', amount_kobo: 5, reason: 'Float' };
    const seconded = await ada.post(`${OF_PARTNER('live')}/adjustments`, credit);
    await approvedBy(seconded, thief);
    const untouched = await propose();
    const owner = {
      query: async (text: string, values?: unknown[]) => ({ rows: await world.sql(text, values) }),
    };
    expect(await revokeOperator(owner as never, thief.name)).toBe(true);
    for (const proposed of [own, seconded]) {
      expect(await approvedBy(proposed, bola)).toMatchObject({
        status: 422,
        body: { error: 'INVALID_STATE', message: 'The proposal is rejected' },
      });
    }
    expect(await proposalOf(untouched.body.data.id)).toMatchObject({ status: 'proposed' });
  });

  test('is not approved by a viewer', async () => {
    const viewer = await api.operator('viewer');
    expect(await approvedBy(await propose(), viewer)).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
  });

  test('of every kind needs somebody else in live', () => {
    expect(
      PROPOSAL_KINDS.map((kind) => [kind, PROPOSALS[kind].approvals, PROPOSALS[kind].inSandbox]),
    ).toEqual([
      ['adjust_wallet', 2, true],
      ['resolve_transfer', 1, false],
      ['release_payout', 1, false],
      ['allocate_credit', 1, true],
      ['allocate_return', 1, false],
      ['refund_credit', 1, true],
      ['release_refund', 1, true],
      ['write_off', 2, true],
      ['approve_compliance', 1, false],
      ['reinstate_compliance', 1, false],
      ['reinstate_partner', 1, false],
      ['raise_tier', 1, false],
      ['unfreeze_wallet', 1, false],
      ['erase_person', 1, false],
      ['erase_checked_person', 1, false],
      ['place_legal_hold', 1, false],
      ['lift_legal_hold', 1, false],
      ['reset_codes', 1, false],
      ['book_treasury', 1, true],
      ['close_day', 1, true],
    ]);
  });
});
