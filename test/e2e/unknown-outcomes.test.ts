/**
 * Providers that break, are silent or do not know the result: a transfer stays open until a status query says what
 * happened, and then ends once. The test plays the outside companies; everything else is real.
 */
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { saying, withFake } from '../support/fakes';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import {
  transferOfPayout,
  type PayoutOrder,
  type QueryOutcome,
  type RefusalCause,
} from '../../src/domain/payouts';
import type { AccountAnswer, Payouts, Submitted } from '../../src/providers/port';
import { SANDBOX_CELL } from '../setup/cells';

const FUNDED_KOBO = 1_000_000;
const DEBIT_KOBO = 10_000 + 5_000;

/**
 * What the payment company does when it is called for the n-th time, n from 1: it answers, throws, or never comes
 * back.
 */
interface Fate {
  what: string;
  accountNumber: string;
  submit: (n: number) => Submitted | Promise<never>;
  query: (n: number) => QueryOutcome | Promise<never>;
  ends: 'completed' | 'failed';
  /** How often the company must get the order. */
  sent: number;
}

const broken = (): never => {
  throw new Error('connection reset by peer');
};
const notYet = (until: number, then: QueryOutcome) => (n: number) => (n < until ? 'unknown' : then);
const silence = new Set<() => void>();
const silent = () =>
  new Promise<never>((_resolve, reject) => silence.add(() => reject(new Error('the test is over'))));
const refused = (cause: RefusalCause): Submitted => ({
  ...saying('refused', { code: '07', reason: 'Invalid account' }),
  cause,
});

const FATES: readonly Fate[] = [
  {
    what: 'cannot be reached twice, then takes it',
    accountNumber: '1000000001',
    submit: (n) => saying(n < 3 ? 'not_sent' : 'accepted'),
    query: () => 'success',
    ends: 'completed',
    sent: 3,
  },
  {
    what: 'takes it, but its answer is lost',
    accountNumber: '1000000002',
    submit: broken,
    query: () => 'success',
    ends: 'completed',
    sent: 1,
  },
  {
    what: 'does not know for a while, then says success',
    accountNumber: '1000000003',
    submit: () => saying('unknown'),
    query: notYet(4, 'success'),
    ends: 'completed',
    sent: 1,
  },
  {
    what: 'does not know for a while, then says failed',
    accountNumber: '1000000004',
    submit: () => saying('unknown'),
    query: notYet(4, 'failed'),
    ends: 'failed',
    sent: 1,
  },
  {
    what: 'is at work, breaks when it is asked, then says success',
    accountNumber: '1000000005',
    submit: () => saying('accepted'),
    query: (n) => (n < 3 ? broken() : 'success'),
    ends: 'completed',
    sent: 1,
  },
  {
    what: 'does not answer at all, then does not know, then says failed',
    accountNumber: '1000000006',
    submit: silent,
    query: notYet(2, 'failed'),
    ends: 'failed',
    sent: 1,
  },
  {
    what: 'never got it, says so, and gets it again',
    accountNumber: '1000000008',
    submit: (n) => (n < 2 ? broken() : saying('accepted')),
    query: (n) => (n < 2 ? 'not_found' : 'success'),
    ends: 'completed',
    sent: 2,
  },
  {
    what: 'knows the reference already',
    accountNumber: '1000000009',
    submit: () => saying('exists'),
    query: (n) => (n < 2 ? 'pending' : 'success'),
    ends: 'completed',
    sent: 1,
  },
  {
    what: 'refuses the beneficiary',
    accountNumber: '1000000010',
    submit: () => refused('beneficiary'),
    query: broken,
    ends: 'failed',
    sent: 1,
  },
  {
    what: 'has too little of our money, then enough',
    accountNumber: '1000000011',
    submit: (n) => (n < 2 ? refused('float') : saying('accepted')),
    query: () => 'success',
    ends: 'completed',
    sent: 2,
  },
  {
    what: 'refuses the second order, while the first one, which seemed lost, is on its way',
    accountNumber: '1000000012',
    submit: (n) => (n < 2 ? broken() : refused('beneficiary')),
    query: (n) => (n < 2 ? 'not_found' : n < 3 ? 'unknown' : 'success'),
    ends: 'completed',
    sent: 2,
  },
];
const NEVER_KNOWN: Fate = {
  what: 'never knows',
  accountNumber: '1000000007',
  submit: () => saying('unknown'),
  query: () => 'unknown',
  ends: 'failed',
  sent: 1,
};

let platform: Platform;
let partner: Calls;
/** The state of the books at each call of the payment company, by transfer. */
const witnessed = new Map<string, Json[]>();
const counted = new Map<string, number>();
let mfbIsDown = true;

const payouts: Payouts = {
  submit: async (order) => fateOf(order).submit(await witness(order, 'submit')),
  query: async (order) => {
    const outcome = await fateOf(order).query(await witness(order, 'query'));
    const isKnown = outcome !== 'unknown' && outcome !== 'not_found';
    return saying(outcome, {
      providerRef: isKnown ? `TRF_${order.reference}` : null,
      reason: outcome === 'failed' ? 'Do not honor' : null,
    });
  },
};

const fateOf = (order: PayoutOrder): Fate =>
  [...FATES, NEVER_KNOWN].find(({ accountNumber }) => accountNumber === order.accountNumber)!;

/** Notes the state of the books, and counts the calls. */
async function witness(order: PayoutOrder, call: 'submit' | 'query'): Promise<number> {
  const id = transferOfPayout(order.reference)!;
  const n = (counted.get(`${call} ${id}`) ?? 0) + 1;
  counted.set(`${call} ${id}`, n);
  witnessed.set(id, [...(witnessed.get(id) ?? []), await books(id)]);
  return n;
}

/** A transfer in the books: its status, the posted steps, the number of reversals and of events. */
async function books(transferId: string): Promise<Json> {
  const [row] = await platform.sql(
    `SELECT t.status, (SELECT array_agg(DISTINCT step::text) FROM ${SANDBOX_CELL}.entries WHERE transaction_id = t.id) AS steps,
            (SELECT count(*)::int FROM ${SANDBOX_CELL}.reversals WHERE original_id = t.id) AS reversals,
            (SELECT count(*)::int FROM ${SANDBOX_CELL}.events WHERE resource_id = t.id) AS events
       FROM ${SANDBOX_CELL}.transactions t WHERE t.id = $1`,
    [transferId],
  );
  return row;
}
const OPEN = { status: 'processing', steps: ['accept'], reversals: 0, events: 0 };

/** What the MFB does, by the name that the account is to have. */
const MFB_TROUBLES: Record<
  string,
  (n: number, issue: () => Promise<AccountAnswer>) => Promise<AccountAnswer>
> = {
  STUMBLES: async (n, issue) =>
    n === 1 ? broken() : n === 2 ? { outcome: 'pending', pollAfterMs: 10 } : issue(),
  FORGETS: async (n, issue) => {
    const answer = await issue();
    return n === 1 ? broken() : answer;
  },
  'LACKS-MUCH': () => Promise.resolve({ outcome: 'needs', details: ['email'] }),
  'LACKS-MORE': () => Promise.resolve({ outcome: 'needs', details: ['email'] }),
  LACKS: async (n, issue) => (n === 1 ? { outcome: 'needs', details: ['firstName', 'phone'] } : issue()),
  'IS-DOWN': async (_n, issue) => (mfbIsDown ? broken() : issue()),
};

beforeAll(async () => {
  platform = await openPlatform({
    settings: { TRANSFER_ALERT_AFTER_MS: '1500', PROVISIONING_PARK_AFTER_MS: '8000' },
  });
  const worker = platform.startWorker((environment) =>
    withFake(environment, ({ accounts: simulated }) => ({
      name: 'troubles',
      payouts,
      names: { enquire: () => Promise.resolve({ found: 'ADA OBI' }) },
      accounts: {
        issue(order) {
          const n = (counted.get(order.walletId) ?? 0) + 1;
          counted.set(order.walletId, n);
          const trouble = MFB_TROUBLES[order.accountName];
          return trouble ? trouble(n, () => simulated.issue(order)) : simulated.issue(order);
        },
      },
    })),
  );
  const [url] = await Promise.all([platform.startApi(), worker]);
  partner = await platform.partner(url);
});

afterAll(async () => {
  for (const end of silence) end();
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

interface Sent {
  walletId: string;
  id: string;
  reference: string;
}

async function send({ accountNumber }: Fate): Promise<Sent> {
  const { id: walletId } = await partner.wallet(FUNDED_KOBO);
  const { reference, reply } = await partner.bankTransfer(walletId, { accountNumber });
  return { walletId, id: reply.body.data.id, reference };
}

describe('a bank transfer whose provider', () => {
  const sent = new Map<Fate, Sent>();

  beforeAll(async () => {
    await Promise.all(FATES.map(async (fate) => sent.set(fate, await send(fate))));
  });

  test.each(FATES)('$what: $ends, once, and open until then', async (fate) => {
    const { walletId, id, reference } = sent.get(fate)!;
    const transfer = await partner.ended(walletId, reference);
    expect(transfer).toMatchObject({ status: fate.ends });
    expect(counted.get(`submit ${id}`)).toBe(fate.sent);
    const seen = witnessed.get(id) ?? [];
    expect(new Set(seen.map((row) => JSON.stringify(row)))).toEqual(new Set([JSON.stringify(OPEN)]));
    expect(await books(id)).toEqual(
      fate.ends === 'completed'
        ? { status: 'completed', steps: ['accept', 'settle'], reversals: 0, events: 1 }
        : { status: 'failed', steps: ['accept'], reversals: 1, events: 1 },
    );
    const gone = fate.ends === 'completed' ? DEBIT_KOBO : 0;
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - gone);
  });

  test('never knows the result: it stays open past the alert, is shown to operators, and is ended by hand', async () => {
    const { walletId, id } = await send(NEVER_KNOWN);
    const query = `ResourceId='${id}' AND NeedsAttention=true AND BusinessState='processing'`;
    await until('the transfer among those that need attention', async () => {
      return (await platform.operator.workflow.count(query)).count === 1;
    });
    expect(await books(id)).toEqual(OPEN);
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - DEBIT_KOBO);

    const failed = await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: id });
    expect(failed).toMatchObject({ status: 200, body: { status: 'failed' } });
    expect(await platform.operator.workflow.getHandle(`bank-transfer/${id}`).result()).toBe('failed');
    expect(await books(id)).toEqual({ status: 'failed', steps: ['accept'], reversals: 1, events: 1 });
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
  });
});

describe('a wallet whose MFB', () => {
  const create = async (name: string): Promise<string> => {
    const body = { user_ref: name, metadata: { account_name: name } };
    return (await partner.post('/v1/wallets', body)).body.data.id;
  };
  const wallet = async (id: string) => (await partner.get(`/v1/wallets/${id}`)).body.data.wallet;
  const active = (id: string) =>
    until(`wallet ${id} to be active`, async () => {
      const found = await wallet(id);
      return found.status === 'active' && found;
    });
  const issuedTo = (id: string) =>
    platform.sql('SELECT account_number FROM sandbox_directory.nubans WHERE wallet_id = $1', [id]);
  const eventsOf = async (id: string): Promise<Json[]> =>
    (await partner.get(`/v1/events?resource_id=${id}`)).body.data;
  const activations = async (id: string) =>
    (
      await platform.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1 ORDER BY id`, [id])
    ).map(({ kind }) => kind as string);

  test.each([
    { what: 'breaks, then takes its time, then issues', userRef: 'stumbles' },
    { what: 'issues, but its answer is lost', userRef: 'forgets' },
  ])('$what: gets one account number, and one event', async ({ userRef }) => {
    const id = await create(userRef);
    const { account_number: accountNumber } = await active(id);
    expect(await issuedTo(id)).toEqual([{ account_number: accountNumber }]);
    expect(await activations(id)).toEqual(['wallet.activated']);
  });

  test('needs more data of the owner: is parked at once, and active once the data is there', async () => {
    const id = await create('lacks');
    const workflow = platform.operator.workflow.getHandle(`wallet/${id}`);
    await until(
      'the parked wallet',
      async () => (await workflow.query('state').catch(() => '')) === 'parked',
    );
    expect(await wallet(id)).toMatchObject({ status: 'pending', account_status: 'provisioning' });
    expect(counted.get(id)).toBe(1);
    const [parked, ...more] = await eventsOf(id);
    expect(more).toEqual([]);
    expect(parked).toMatchObject({
      event: 'wallet.parked',
      data: {
        id,
        user_ref: 'lacks',
        status: 'pending',
        account_status: 'provisioning',
        reason: 'details_missing',
        missing: ['metadata.first_name', 'metadata.phone'],
      },
    });
    await partner.patch(`/v1/wallets/${id}`, { metadata: { first_name: 'Ada', phone: '+2348012345678' } });
    expect(await active(id)).toMatchObject({ account_status: 'active' });
    expect(await issuedTo(id)).toHaveLength(1);
  });

  test('needs more data of the owner: goes on by the sweep, where the message that it came was lost', async () => {
    const id = (await partner.post('/v1/wallets', { user_ref: 'lost', metadata: { account_name: 'lacks' } }))
      .body.data.id;
    const news = async () =>
      (await platform.sql(`SELECT news_at FROM ${SANDBOX_CELL}.wallets WHERE id = $1`, [id]))[0]?.news_at;
    await until('its event', async () => (await eventsOf(id)).length === 1);
    await platform.sql(
      `UPDATE ${SANDBOX_CELL}.wallets SET news_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    expect(await active(id)).toMatchObject({ account_status: 'active' });
    await until('the news to be told', async () => (await news()) === null);
  });

  test('is closed while it is parked: its workflow ends; opened again, it gets an account', async () => {
    const id = await create('lacks-much');
    const workflow = () => platform.operator.workflow.getHandle(`wallet/${id}`);
    const isParked = () =>
      until(
        'the parked wallet',
        async () =>
          (await workflow()
            .query('state')
            .catch(() => '')) === 'parked',
      );
    await isParked();
    expect((await partner.post(`/v1/wallets/${id}/close`, {})).body.data.status).toBe('closed');
    expect(await workflow().result()).toBe('closed');
    const metadata = { account_name: 'stumbles' };
    expect((await partner.post(`/v1/wallets/${id}/reopen`, { metadata })).body.data.status).toBe('pending');
    expect(await active(id)).toMatchObject({ account_status: 'active', metadata });
  });

  test('is closed and opened again at once: the wallet waits for nobody', async () => {
    const id = await create('lacks-more');
    await until('the parked wallet', async () => {
      const { workflow } = platform.operator;
      return (
        (await workflow
          .getHandle(`wallet/${id}`)
          .query('state')
          .catch(() => '')) === 'parked'
      );
    });
    for (let times = 0; times < 5; times++) {
      expect((await partner.post(`/v1/wallets/${id}/close`, {})).status).toBe(200);
      const metadata = times === 4 ? { account_name: 'forgets' } : { account_name: 'lacks-more' };
      expect((await partner.post(`/v1/wallets/${id}/reopen`, { metadata })).status).toBe(200);
    }
    expect(await active(id)).toMatchObject({ account_status: 'active' });
  });

  test('is down for too long: is parked, tried again when an operator says so, and active in the end', async () => {
    const id = await create('is-down');
    const workflow = platform.operator.workflow.getHandle(`wallet/${id}`);
    const parked = () =>
      until('the parked wallet', async () => {
        const query = `ResourceId='${id}' AND NeedsAttention=true AND BusinessState='parked'`;
        return (await platform.operator.workflow.count(query)).count === 1;
      });
    await parked();
    expect(await wallet(id)).toMatchObject({ status: 'pending', account_status: 'provisioning' });
    expect(await workflow.query('state')).toBe('parked');

    const askedBefore = counted.get(id) ?? 0;
    await workflow.executeUpdate('retryNow');
    await until('another question to the MFB', () => (counted.get(id) ?? 0) > askedBefore);
    await until('the parked wallet again', async () => (await workflow.query('state')) === 'parked');
    await until('an event of each time', async () => (await eventsOf(id)).length === 2);
    for (const { event, data } of await eventsOf(id)) {
      expect([event, data.reason, data.missing]).toEqual(['wallet.parked', 'no_account', []]);
    }

    mfbIsDown = false;
    await workflow.executeUpdate('retryNow');
    expect(await active(id)).toMatchObject({ account_status: 'active' });
    expect(await activations(id)).toEqual(['wallet.parked', 'wallet.parked', 'wallet.activated']);
    expect(await workflow.result()).toBe('active');
    const query = `ResourceId='${id}' AND NeedsAttention=false AND BusinessState='active'`;
    await until('the wallet among the sound ones', async () => {
      return (await platform.operator.workflow.count(query)).count === 1;
    });
  });
});
