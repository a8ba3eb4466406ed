/**
 * Every example body of the documents, which `/docs` fills in, sent as it stands: to a sandbox with two wallets, in the
 * order of the document. Only what stands for an id is replaced, by the ids of these wallets and of what the examples
 * before have made.
 */
import { referenceText } from '../../src/api/openapi/reference';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../src/wire/fields';
import { DIAL_CODE_EXAMPLE, SESSION_EXAMPLE } from '../../src/wire/ussd-fields';
import type { Json } from '../support/send';
import { until } from '../support/until';
import { openService, type Client, type Service } from './client';

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  requestBody?: { content: Record<string, { example: Json }> };
  responses: Record<string, unknown>;
}

const { paths } = JSON.parse(referenceText()) as { paths: Record<string, Record<string, Operation>> };
const EXAMPLES = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const body = operation.requestBody?.content['application/json'];
    return body ? [{ ...operation, path, method: method.toUpperCase(), example: body.example }] : [];
  }),
);

/** What an example cannot know, and what is wrong with it therefore. Nothing else may be. */
const UNKNOWABLE: Record<string, object> = {
  ...Object.fromEntries(
    ['confirmEmail', 'takeEmailBack', 'resetPassword', 'acceptInvitation'].map((operation) => [
      operation,
      { detail: { fields: [{ field: 'token', message: 'is unknown, used or expired' }] } },
    ]),
  ),
  enableOneTimeCodes: { error: 'INVALID_CREDENTIALS', message: 'The code is wrong' },
  // They were not switched on, because only an app knows the code.
  disableOneTimeCodes: { detail: { fields: [{ field: 'code', message: 'one-time codes are off' }] } },
  // Only a closed wallet can be opened again, if no account was ordered for it before.
  reopenWallet: { error: 'INVALID_WALLET_STATE', message: 'The wallet is active' },
  renewRecoveryCodes: { detail: { fields: [{ field: 'code', message: 'one-time codes are off' }] } },
};

let service: Service;
/** A program with the key that the example makes. */
let client: Client;
/** The answers so far, by operation. */
const said: Record<string, Json> = {};
/** What stands in the examples for something of the sandbox. */
const standsFor: [example: string, own: string][] = [];

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test.each(EXAMPLES)('$operationId: $method $path', async (one) => {
  const { operationId, security, method, path, example } = one;
  const before = await PREPARED[operationId]?.();
  const body = replaced({
    ...example,
    ...(before?.transactionId && { transaction_id: before.transactionId }),
  });
  const place = path.replace(/\{\w+\}/, () => before?.id ?? idOf(path));

  const answer = await callerOf(security).ask(method, place, body);

  said[operationId] = answer.body?.data ?? answer.body;
  const refusal = UNKNOWABLE[operationId];
  if (refusal) expect(answer.body).toMatchObject(refusal);
  else expect(answer).toMatchObject({ status: successOf(one) });
});

const successOf = ({ responses }: Operation): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')));

/** A stranger, a program, or the owner with the token of the login. */
function callerOf(security: Operation['security']): Client {
  if (security.length === 0) return service.as(null);
  return security.some((one) => 'apiKey' in one) ? client : service.as(said['login'].access_token);
}

/** The body with the ids of this sandbox. */
const replaced = (body: Json): Json =>
  JSON.parse(standsFor.reduce((text, [example, own]) => text.replaceAll(example, own), JSON.stringify(body)));

/** What must be there before an operation, and is made by no example. `id` is the one of its path. */
const PREPARED: Record<string, () => Promise<{ id?: string; transactionId?: string } | undefined>> = {
  setUserRole: async () => ({
    id: (await service.as(said['login'].access_token).get('/v1/users')).body.data[0].id,
  }),
  async createWallet() {
    client = service.as(said['createApiKey'].key);
    standsFor.push([ID_EXAMPLE, await client.wallet(10_000_000)], [OTHER_ID_EXAMPLE, await client.wallet()]);
    return undefined;
  },
  closeWallet: async () => ({ id: await client.wallet() }),
  simulateUssd() {
    const { session_id: id, dial_code: code } = said['initiateUssd'];
    standsFor.push([SESSION_EXAMPLE, id], [DIAL_CODE_EXAMPLE, code]);
    return Promise.resolve(undefined);
  },
  redeliverEvent: async () => ({ id: (await client.get('/v1/events?limit=1')).body.data[0].id }),
  async setWebhookFault() {
    const { example } = EXAMPLES.find(({ operationId }) => operationId === 'createWebhook')!;
    const another = { ...(example as object), url: 'https://partner.example/fault' };
    return { id: (await client.post('/v1/webhooks', another)).body.data.id };
  },
  async decideAboutName() {
    const { example } = EXAMPLES.find(({ operationId }) => operationId === 'bankTransfer')!;
    const body = replaced({ ...example, reference: 'to decide', on_name_mismatch: 'hold' });
    const { id } = (await client.post('/v1/transfers/bank', body)).body.data;
    await until('the name of its holder', async () => {
      const { body: now } = await client.get(`/v1/transactions/${id}`);
      return now.data.dest_account.name_matches === false;
    });
    return { id };
  },
  completeBankTransfer: async () => ({ transactionId: await held('to complete') }),
  failBankTransfer: async () => ({ transactionId: await held('to fail') }),
};

async function held(reference: string): Promise<string> {
  const { example } = EXAMPLES.find(({ operationId }) => operationId === 'bankTransfer')!;
  const body = replaced({ ...example, reference });
  return (await client.post('/v1/transfers/bank', body, { 'X-Sandbox-Hold': 'true' })).body.data.id;
}

/** Of what the examples before have made; else the wallet that pays. */
function idOf(path: string): string {
  if (path.startsWith('/v1/api-keys')) return said['createApiKey'].id;
  if (path.startsWith('/v1/transfers/scheduled')) return said['createScheduledTransfer'].id;
  if (path.startsWith('/v1/holds')) return said['placeHold'].id;
  if (path.startsWith('/v1/webhooks')) return said['createWebhook'].id;
  return replaced(ID_EXAMPLE);
}
