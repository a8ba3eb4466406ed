/** Fields that the platform has ignored are told of once, and never make fail what has happened. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WalletClient, type Warning } from '../../../sdk/src';

let server: Server;
let baseUrl: string;
let meta: object = {};
beforeAll(async () => {
  server = createServer((_request, response) => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
    response.writeHead(200, headers).end(JSON.stringify({ data: { id: 'one' }, meta }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const P2P = { source_wallet: 'a', dest_wallet: 'b', amount: 1, reference: 'r' };

function open(onWarning?: (warning: Warning) => void) {
  const warnings: Warning[] = [];
  const options = { apiKey: 'sk_test_x', baseUrl, onWarning: onWarning ?? ((one) => warnings.push(one)) };
  return { warnings, client: new WalletClient(options) };
}

test('each field of an operation is told of once', async () => {
  const { warnings, client } = open();
  meta = { ignored_fields: ['descripton', 'metadat'] };
  expect(await client.transfers.p2p(P2P)).toEqual({ id: 'one' });
  await client.transfers.p2p(P2P);
  await client.wallets.create({ user_ref: 'ada' });
  expect(warnings.map(({ operation, field }) => `${operation} ${field}`)).toEqual([
    'POST /v1/transfers/p2p descripton',
    'POST /v1/transfers/p2p metadat',
    'POST /v1/wallets descripton',
    'POST /v1/wallets metadat',
  ]);
  expect(warnings[0]).toMatchObject({
    message: 'POST /v1/transfers/p2p does not know the field descripton and has ignored it',
    requestId: 'req_1',
  });
});

test('the same field of two wallets, or of two lines, is the same field', async () => {
  const { warnings, client } = open();
  meta = { ignored_fields: ['transfers.0.amout', 'transfers.17.amout'] };
  await client.wallets.freeze('a', {});
  await client.wallets.freeze('b', {});
  expect(warnings.map(({ operation, field }) => [operation, field])).toEqual([
    ['POST /v1/wallets/{id}/freeze', 'transfers.0.amout'],
  ]);
});

test.each([[{}], [{ ignored_fields: [] }], [{ ignored_fields: 'no' }], [{ ignored_fields: [7, null] }]])(
  'meta %j tells of nothing',
  async (said) => {
    const { warnings, client } = open();
    meta = said;
    expect(await client.transfers.p2p(P2P)).toEqual({ id: 'one' });
    expect(warnings).toEqual([]);
  },
);

test('what is made of a warning does not make a payment fail', async () => {
  const { client } = open(() => {
    throw new Error('the log is full');
  });
  meta = { ignored_fields: ['descripton'] };
  expect(await client.transfers.p2p(P2P)).toEqual({ id: 'one' });
});

test('without onWarning the console is told', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  meta = { ignored_fields: ['descripton'] };
  await new WalletClient({ apiKey: 'sk_test_x', baseUrl }).transfers.p2p(P2P);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('the field descripton')]]);
  warn.mockRestore();
});
