/** One line in the log for each request: enough to find what happened, and nothing that is secret or about a person. */
import { connect } from 'node:net';
import { forgetLog, logLines } from '../support/log';
import { apiForFile, partnerForFile } from '../support/scene';
import type { Json } from '../support/calls';
import { until } from '../support/until';

const { api } = apiForFile({ LOG_LEVEL: 'info' });
const partner = partnerForFile(api);

beforeEach(() => forgetLog());

const accessLines = (): Json[] => logLines().filter(({ msg }) => msg === 'The API answered a request');

/** The line of an answer. It is written when the connection has taken the answer. */
const lineOf = (answer: { headers: Headers }): Promise<Json> =>
  until('the line of a request', () =>
    accessLines().find(({ requestId }) => requestId === answer.headers.get('X-Request-Id')),
  );

test('a request leaves one line with who asked for what, and what came of it', async () => {
  const [source, dest] = [await partner.wallet({ fundKobo: 50_000 }), await partner.wallet()];
  forgetLog();
  const body = { source_wallet: source, dest_wallet: dest, amount: 10_000, reference: 'logged once' };
  const answer = await partner.post('/v1/transfers/p2p', body);
  const line = await lineOf(answer);
  expect(line).toMatchObject({
    level: 30,
    method: 'POST',
    operation: 'p2pTransfer',
    status: 200,
    partnerId: partner.id,
    environment: 'sandbox',
    keyPrefix: `${partner.key.slice(0, 12)}...`,
    replayed: false,
    durationMs: expect.any(Number),
  });
  expect(line.durationMs).toBeGreaterThan(0);
  expect(accessLines()).toHaveLength(1);

  const repeated = await partner.post('/v1/transfers/p2p', body);
  expect(await lineOf(repeated)).toMatchObject({ operation: 'p2pTransfer', status: 200, replayed: true });
});

const REFUSED: [what: string, ask: () => Promise<{ headers: Headers }>, line: object][] = [
  [
    'a refusal says its code',
    () => partner.post('/v1/transfers/p2p', { amount: 'much' }),
    { operation: 'p2pTransfer', status: 422, code: 'VALIDATION_ERROR', environment: 'sandbox' },
  ],
  [
    'a caller whom nobody knows has no partner',
    () => api.call('GET', '/v1/wallets', { headers: { Authorization: `Bearer sk_test_${'0'.repeat(38)}` } }),
    { operation: 'none', status: 401, code: 'INVALID_TOKEN' },
  ],
  [
    'a request that reached no route',
    () => partner.get('/v1/nowhere'),
    { operation: 'none', status: 404, code: 'NOT_FOUND', environment: 'sandbox' },
  ],
  ['an open page', () => api.call('GET', '/health'), { operation: 'none', status: 200 }],
];

test.each(REFUSED)('%s', async (_what, ask, line) => {
  const answer = await ask();
  expect(await lineOf(answer)).toMatchObject(line);
});

test('bytes that are no request leave a line with the id of their answer', async () => {
  const socket = connect(api.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.write('NONSENSE\r\n\r\n');
  await until('the answer', () => answer.includes('request_id'));
  socket.destroy();
  const requestId = /X-Request-Id: (\S+)/.exec(answer)?.[1];
  expect(accessLines()).toMatchObject([{ requestId, method: 'none', status: 400, code: 'VALIDATION_ERROR' }]);
});

test('a caller who goes away before the answer leaves a line without a status', async () => {
  const socket = connect(api.port, '127.0.0.1');
  const head = `POST /v1/wallets HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${partner.key}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  await partner.get('/v1/wallets?limit=1');
  socket.destroy();
  const line = await until('its line', () => accessLines().find(({ method }) => method === 'POST'));
  expect(line).toMatchObject({ operation: 'createWallet', status: null, partnerId: partner.id });
});

test('an operator’s call names the operator and what was asked of the port; a probe leaves no line', async () => {
  const operator = await api.operator('viewer', 'Ngozi');
  await fetch(`http://127.0.0.1:${api.operatorPort}/live`);
  const answer = await operator.get('/ops/partners');
  expect(await lineOf(answer)).toMatchObject({ operator: 'Ngozi', status: 200, method: 'GET' });
  expect(accessLines()).toHaveLength(1);
});

test('whoever reads the log learns no key, no number of a person and no name from a path', async () => {
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada.lovelace@example.com', bvn: '22212345678' });
  const answer = await partner.get('/v1/kyc/ada.lovelace@example.com/status');
  await lineOf(answer);
  const log = JSON.stringify(logLines());
  expect(log).not.toContain(partner.key);
  expect(log).not.toContain('22212345678');
  expect(log).not.toContain('lovelace');
});
