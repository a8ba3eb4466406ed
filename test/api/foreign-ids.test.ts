/**
 * Another partner's ids look exactly like ids that do not exist (D29, D105, D132; G20): every operation that takes
 * an id, by the route table, is asked for an absent one, another partner's, and one of the other environment.
 * The answers are the same bytes except for the id itself and the request id.
 */
import { randomUUID } from 'node:crypto';
import { ROUTES } from '../../src/api/routes';
import { hasBody, type Route } from '../../src/api/route';
import { pageQuery } from '../../src/wire/pages';
import { writeSessionId } from '../../src/wire/ussd';
import type { Answer } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';
import { REHEARSAL } from '../support/settings';

const { world, api } = apiForFile(REHEARSAL);
const partner = partnerForFile(api, { status: 'active' });
let token: string;
let own: string;
let absent: Ids;
let foreign: Ids;
let live: Ids;

/** One id of every kind. Every operation is tried with each of them, whatever kind it takes. */
interface Ids {
  wallet: string;
  transaction: string;
  endpoint: string;
  event: string;
  key: string;
  signedIn: string;
  user: string;
  invitation: string;
  userRef: string;
  reference: string;
  session: string;
  bulk: string;
  scheduled: string;
  hold: string;
}

beforeAll(async () => {
  own = await partner.wallet({ fundKobo: 1_000_000 });
  await partner.post('/v1/payments/qr/create', { wallet_id: own, amount: 100, reference: OWN_QR });
  foreign = await idsOf(await api.partner());
  live = {
    ...(await idsOf(await api.partner({ id: partner.id, environment: 'live', status: 'active' }))),
    // People belong to both environments, so those of the partner itself are not foreign.
    user: foreign.user,
    invitation: foreign.invitation,
  };
  token = await api.token(partner.id);
  absent = {
    wallet: randomUUID(),
    transaction: randomUUID(),
    endpoint: randomUUID(),
    event: randomUUID(),
    key: randomUUID(),
    signedIn: randomUUID(),
    user: randomUUID(),
    invitation: randomUUID(),
    userRef: `user-${randomUUID()}`,
    reference: `ref-${randomUUID()}`,
    session: writeSessionId(randomUUID()),
    bulk: randomUUID(),
    scheduled: randomUUID(),
    hold: randomUUID(),
  };
});

async function idsOf(owner: TestPartner): Promise<Ids> {
  const userRef = `user-${randomUUID()}`;
  const reference = `ref-${randomUUID()}`;
  const wallet = await owner.wallet({ userRef, fundKobo: 1_000_000 });
  const transfer = await owner.post('/v1/transfers/bank', { ...TO_BANK, source_wallet: wallet });
  const endpoint = { url: 'https://example.com/hook', events: ['wallet.activated'] };
  const registered = await owner.post('/v1/webhooks', endpoint);
  const events = await owner.get('/v1/events?limit=1');
  await owner.post('/v1/payments/qr/create', { wallet_id: wallet, amount: 100, reference });
  const session = await owner.post('/v1/payments/ussd/initiate', { ...USSD, wallet_id: wallet });
  const bulk = await owner.post('/v1/transfers/bulk', bulkOf({ ...TO_BANK, source_wallet: wallet }));
  const scheduled = await owner.post('/v1/transfers/scheduled', {
    ...TO_BANK,
    ...IN_TIME,
    source_wallet: wallet,
    reference: 'foreign-ids-scheduled',
  });
  const hold = await owner.post('/v1/holds', {
    wallet_id: wallet,
    amount: 100,
    reference: 'foreign-ids-hold',
  });
  return {
    wallet,
    transaction: transfer.body.data.id,
    endpoint: registered.body.data.id,
    event: events.body.data[0].id,
    key: owner.keyId,
    ...(await peopleOf(owner.id)),
    userRef,
    reference,
    session: session.body.data.session_id,
    bulk: bulk.body.data.id,
    scheduled: scheduled.body.data.id,
    hold: hold.body.data.id,
  };
}

/** A user with a session, and an invitation. */
async function peopleOf(partnerId: string): Promise<Pick<Ids, 'signedIn' | 'user' | 'invitation'>> {
  await api.token(partnerId);
  const [user, invitation] = [randomUUID(), randomUUID()];
  await world.sql(
    `INSERT INTO platform.users (id, partner_id, email, password_hash) VALUES ($1, $2, $3, '$argon2id$')`,
    [user, partnerId, `${user}@acme.example`],
  );
  await world.sql(
    `INSERT INTO platform.invitations (id, partner_id, email, role, expires_at)
     VALUES ($1, $2, $3, 'viewer', now() + interval '1 day')`,
    [invitation, partnerId, `${invitation}@acme.example`],
  );
  const sessions = await world.sql(
    'UPDATE platform.sessions SET user_id = $2 WHERE partner_id = $1 AND user_id IS NULL RETURNING id',
    [partnerId, user],
  );
  return { signedIn: sessions[0]!['id'], user, invitation };
}

const TO_BANK = {
  dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
  amount: 100,
  reference: 'foreign-ids',
};
const IN_TIME = { due_at: '2030-01-31T09:00:00+01:00' };
const USSD = { amount: 100, reference: 'foreign-ids-ussd', phone: '+2348012345678' };
const OWN_QR = 'own-qr';
const reference = 'never used';

/** The bodies of the operations that take ids in them, each with the id in one of its places. */
const BODIES: Record<string, ((id: string) => object)[]> = {
  p2pTransfer: [
    (id) => ({ source_wallet: id, dest_wallet: own, amount: 100, reference }),
    (id) => ({ source_wallet: own, dest_wallet: id, amount: 100, reference }),
    (id) => ({ source_wallet_id: id, dest_wallet_id: own, amount_kobo: 100, reference }),
    (id) => ({ source_wallet_id: own, dest_wallet_id: id, amount_kobo: 100, reference }),
  ],
  bankTransfer: [(id) => ({ ...TO_BANK, source_wallet: id }), (id) => ({ ...TO_BANK, source_wallet_id: id })],
  createBulkTransfer: [
    (id) => bulkOf({ source_wallet: id, dest_wallet: own, amount: 100 }),
    (id) => bulkOf({ source_wallet: own, dest_wallet: id, amount: 100 }),
    (id) => bulkOf({ ...TO_BANK, source_wallet: id }),
  ],
  createScheduledTransfer: [
    (id) => ({ source_wallet: id, dest_wallet: own, amount: 100, reference, ...IN_TIME }),
    (id) => ({ source_wallet: own, dest_wallet: id, amount: 100, reference, ...IN_TIME }),
  ],
  captureHold: [() => ({ amount: 100, dest_wallet: own })],
  placeHold: [(id) => ({ wallet_id: id, amount: 100, reference: 'foreign-ids-placed' })],
  createQuote: [
    (id) => ({ source_wallet: id, dest_wallet: own, amount: 100 }),
    (id) => ({ source_wallet: own, dest_wallet: id, amount: 100 }),
    (id) => ({ ...TO_BANK, source_wallet: id }),
  ],
  createQrPayment: [(id) => ({ wallet_id: id, amount: 100, reference })],
  payQrPayment: [
    (id) => ({ qr_reference: id, source_wallet: own }),
    (id) => ({ qr_reference: OWN_QR, source_wallet: id }),
  ],
  splitPayment: [(id) => splitOf(id, own, own), (id) => splitOf(own, id, id)],
  initiateUssd: [
    (id) => ({ ...USSD, wallet_id: id }),
    (id) => ({ ...USSD, wallet_id: own, merchant_wallet_id: id }),
    (id) => ({ payer_wallet_id: id, merchant_wallet_id: own, amount_kobo: 100, reference }),
  ],
  simulateUssd: [(id) => ({ session_id: id, action: 'confirm' })],
  completeBankTransfer: [(id) => ({ transaction_id: id })],
  failBankTransfer: [(id) => ({ transaction_id: id })],
};
const splitOf = (source: string, ...dests: string[]) => ({
  source_wallet: source,
  reference,
  splits: dests.map((walletId) => ({ wallet_id: walletId, amount: 100 })),
});

const bulkOf = (line: object) => ({
  reference: 'foreign-ids-bulk',
  transfers: [{ ...line, reference: 'foreign-ids-line' }],
});

/** Operations that take no id, in their path, their query or their body, or only look among the caller's own by it. */
const WITHOUT_IDS = [
  'forwardClock',
  'setSandboxLimits',
  'setSandboxRequirements',
  'listApiKeys',
  'listBulkTransfers',
  'listWallets',
  // Its filter by a resource finds nothing of others: api/events.
  'listEvents',
  // An id is a place in time there, and tells nothing of what it names: api/event-stream.
  'streamEvents',
  'streamRequests',
  // The same of its filter by a wallet: api/transaction-list.
  'listTransactions',
  // The same of these by a wallet: api/qr and api/ussd.
  'listQrPayments',
  'listUssdSessions',
  // The same of this by a wallet: api/holds.
  'listHolds',
  'listScheduledTransfers',
  // The same of its filter by a resource: api/requests.
  'listRequests',
  // A code that is dialled is no id; that of another partner is unknown: api/ussd.
  'dialUssd',
  'listVolumes',
  'resolveBankAccount',
  'createApiKey',
  'createWallet',
  'verifyBvn',
  'verifyNin',
  'createWebhook',
  'submitBusinessInfo',
  'submitDirectors',
  'acceptAgreements',
  'submitUseCase',
  'reviewCompliance',
  'resetSandbox',
  'endSessions',
  'inviteUser',
];

const takesIds = (route: Route): boolean => route.path.includes(':') || route.operation in BODIES;

/** Whether a list asks for more than its page. */
const hasOwnQuery = ({ doc }: Route): boolean =>
  Object.keys(doc.query?.shape ?? {}).some((name) => !(name in pageQuery.shape));

test('every operation is in this matrix, or takes no id', () => {
  // Of a path with two ids, both are asked for at once; api/events asks for each by itself.
  const withTwo = ROUTES.filter(({ path }) => path.split(':').length > 2);
  expect(withTwo.map(({ operation }) => operation)).toEqual(['getDelivery']);
  const forgotten = ROUTES.filter(
    (route) => !takesIds(route) && (route.method !== 'GET' || hasOwnQuery(route)),
  ).filter(
    // What people do about themselves takes no id.
    ({ operation, path }) => !WITHOUT_IDS.includes(operation) && !path.startsWith('/v1/auth/'),
  );
  expect(forgotten.map(({ operation }) => operation)).toEqual([]);
});

/** The answer without what must differ: the id that was asked for, and the request id. */
function seen(answer: Answer, id: string): [status: number, text: string] {
  const requestId = answer.headers.get('X-Request-Id') ?? '';
  return [answer.status, answer.text.replaceAll(id, 'ID').replaceAll(requestId, 'REQUEST')];
}

const KINDS: (keyof Ids)[] = [
  'wallet',
  'transaction',
  'endpoint',
  'event',
  'key',
  'signedIn',
  'user',
  'invitation',
  'userRef',
  'reference',
  'session',
  'bulk',
  'scheduled',
  'hold',
];
const FORMS = ['reference', 'guide'];
/** The body for the operations that name an id in their path only. */
const BODY_OF_PATH = {
  amount_kobo: 100,
  pin: '2580',
  role: 'viewer',
  since: '2026-01-01T00:00:00Z',
  decision: 'continue',
};

describe.each(ROUTES.filter(takesIds))('$method $path', (route) => {
  const bodies = BODIES[route.operation] ?? [() => BODY_OF_PATH];
  test.each(bodies.flatMap((_, place) => FORMS.map((form) => [place + 1, form] as const)))(
    'body %d, in %s form',
    async (place, form) => {
      const ask = (id: string): Promise<Answer> =>
        api.call(route.method, route.path.replaceAll(/:\w+/g, encodeURIComponent(id)), {
          key: route.tokenOnly ? token : partner.key,
          headers: { 'X-Response-Form': form },
          ...(hasBody(route.method) && { body: bodies[place - 1]!(id) }),
        });
      for (const kind of KINDS) {
        const unknown = seen(await ask(absent[kind]), absent[kind]);
        expect(unknown[0]).toBeGreaterThanOrEqual(400);
        for (const ids of [foreign, live]) {
          expect([kind, ...seen(await ask(ids[kind]), ids[kind])]).toEqual([kind, ...unknown]);
        }
      }
    },
  );
});
