/**
 * Bodies that are made to cost much: what they take is paid for before it is read, they stop nobody else, and whoever goes
 * frees what was held (R55).
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes';
import { present } from '../../src/domain/assert';
import { ID_EXAMPLE } from '../../src/wire/fields';
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, operatorForFile, partnerForFile } from '../support/scene';
import { callbackBody, sendCallback } from '../support/callbacks';
import { requestText, sendRaw } from '../support/sockets';
import { until } from '../support/until';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const operator = operatorForFile(api);

const BULK = '/v1/transfers/bulk';
const COMMAND = present(
  OPERATOR_ROUTES.find(({ method }) => method === 'POST'),
  'a command',
).path.replace(/:\w+/g, ID_EXAMPLE);
const LARGE = 262_145;
const EIGHT_MB = 8_388_608;
const hostile = (bytes: number): string => {
  const [head, tail] = ['{"transfers":[', '{}]}'];
  const count = Math.floor((bytes - head.length - tail.length) / 3);
  return head + '{},'.repeat(count) + tail;
};
const bulk = (of: TestPartner, body: unknown, headers = {}): Promise<Answer> => of.post(BULK, body, headers);
const listWith = (structure: number): string => `[${'0,'.repeat(structure - 2)}0]`;

let source: string;
let dest: string;
beforeAll(async () => {
  [source, dest] = await Promise.all([partner.wallet({ fundKobo: 1_000 }), partner.wallet()]);
});
let reference = 0;
const line = (more: object = {}): Json => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: `hostile-${String(reference++)}`,
  ...more,
});
const honest = (count: number): object => ({
  reference: `hostile-${String(reference++)}`,
  transfers: Array.from({ length: count }, () => line({ description: 'Salary of November, {paid}' })),
});

/** Begins a request and sends no more than its beginning. */
async function drip(
  of: TestPartner,
  bytes: number,
  headers: readonly (readonly [string, string])[] = [],
): Promise<Socket> {
  const socket = connect(api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const all = [
    ['Authorization', `Bearer ${of.key}`],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(bytes)],
    ...headers,
  ] as const;
  await new Promise<void>((sent) =>
    socket.write(requestText('POST', BULK, all, '{"transfers":['), () => sent()),
  );
  return socket;
}
const remaining = async (of: TestPartner): Promise<number> =>
  Number((await of.get('/v1/wallets')).headers.get('X-RateLimit-Remaining'));
const minute = (): number => Math.floor(Date.now() / 60_000);
/** Begins a large body, and waits until its places are taken. A new minute begins with all places, so then it begins again. */
async function hold(of: TestPartner, bytes: number, places: number): Promise<Socket> {
  for (;;) {
    const begun = minute();
    const before = await remaining(of);
    const socket = await drip(of, bytes);
    let looks = 0;
    await until('the places of a body', async () => {
      const left = await remaining(of);
      return minute() !== begun || left <= before - ++looks - places;
    });
    if (minute() === begun) return socket;
    socket.destroy();
  }
}

/** How many places something takes, beside the look before it and the look after it. */
async function placesOf(of: TestPartner, done: () => Promise<void>): Promise<number> {
  for (;;) {
    const begun = minute();
    const before = await remaining(of);
    await done();
    const after = await remaining(of);
    if (minute() === begun) return before - after - 1;
  }
}

/** Asks one small thing after the other while something is done. @returns what that gave, and how many were answered. */
async function meanwhile<Given>(of: TestPartner, done: () => Promise<Given>) {
  const over = new AbortController();
  const asking = (async () => {
    let answered = 0;
    for (; !over.signal.aborted; answered++) {
      expect((await of.get('/v1/wallets?limit=1')).status).toBe(200);
    }
    return answered;
  })();
  const given = await done();
  over.abort();
  return { given, answered: await asking };
}

describe('the structure of a body', () => {
  test.each([
    ['as much as there may be', 20_000, 202],
    ['one more', 20_001, 413],
  ])('of an operation, %s', async (what, structure, status) => {
    // Five characters are those of the object.
    const body = `{"user_ref":"${what}","more":${listWith(structure - 5)}}`;
    const answer = await partner.post('/v1/wallets', body);
    expect(answer.status).toBe(status);
    if (status === 413) {
      expect(answer.body).toEqual({
        error: 'PAYLOAD_TOO_LARGE',
        message:
          'The body has too many values: more than 20000 of the characters { } [ ] , : outside of strings',
        meta: { request_id: answer.headers.get('X-Request-Id') },
      });
    }
  });

  test.each([
    ['as much as there may be', 250_000, 422],
    ['one more', 250_001, 413],
  ])('of a bulk transfer, %s', async (_what, structure, status) => {
    expect((await bulk(partner, listWith(structure))).status).toBe(status);
  });

  test('within strings does not count', async () => {
    const metadata = { text: '{[,:]}'.repeat(2_000) };
    const { status } = await partner.post('/v1/wallets', { user_ref: 'punctuation', metadata });
    expect(status).toBe(202);
    const lines = Array.from({ length: 25 }, () => line({ metadata }));
    expect((await bulk(partner, { reference: 'punctuation', transfers: lines })).status).toBe(202);
  });

  test('of a command at the operator port', async () => {
    const answer = await operator.post(COMMAND, `{"more":${listWith(20_000)}}`);
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });

  test('of a callback, whoever signed it', async () => {
    const more = Array.from({ length: 20_000 }, () => 0);
    const answer = await sendCallback(`http://127.0.0.1:${api.port}`, callbackBody('x', { more }));
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
  });
});

describe('eight megabytes of empty objects', () => {
  test('are refused, and the caller sees why', async () => {
    const answer = await bulk(await api.partner(), hostile(EIGHT_MB));
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
    expect(answer.body.message).toContain('250000');
  });

  test('eight at once, of one partner and of eight, and others are answered meanwhile', async () => {
    const body = hostile(EIGHT_MB);
    const eight = await Promise.all(Array.from({ length: 8 }, () => api.partner()));
    const [one] = eight;
    for (const senders of [Array.from({ length: 8 }, () => one!), eight]) {
      const { given: answers, answered } = await meanwhile(partner, () =>
        Promise.all(senders.map((of) => bulk(of, body))),
      );
      for (const { status, headers } of answers) {
        expect([413, 429, 503]).toContain(status);
        if (status !== 413) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      }
      expect(answers.map(({ status }) => status)).toContain(413);
      expect(answered).toBeGreaterThan(0);
    }
  });
});

describe('places', () => {
  test('of the rate limit are taken for the bytes that are announced, before one is read', async () => {
    const of = await api.partner();
    const socket = await hold(of, EIGHT_MB, 32);
    socket.destroy();
  });

  test('are one for each thousand lines, where these are more', async () => {
    const places = await placesOf(partner, async () => {
      expect((await bulk(partner, honest(3_001))).status).toBe(202);
    });
    expect(places).toBe(4);
  });

  test('of a body in chunks are taken as they come, also that of a large one', async () => {
    const of = await api.partner();
    const headers = [
      ['Authorization', `Bearer ${of.key}`],
      ['Content-Type', 'application/json'],
      ['Transfer-Encoding', 'chunked'],
    ] as const;
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    const parts = Array.from({ length: 5 }, () => chunk(' '.repeat(LARGE)));
    const places = await placesOf(of, async () => {
      const answer = await sendRaw(api.port, requestText('POST', BULK, headers), ...parts, '0\r\n\r\n');
      expect(answer.status).toBe(422);
    });
    expect(places).toBe(6);
  });

  test('too few in the minute: 429 with when there are more, and nothing is read', async () => {
    const strict = await world.startApi({ RATE_LIMIT_STARTER: '31' });
    const poor = (await strict.partner()).at(strict);
    const answer = await bulk(poor, hostile(EIGHT_MB));
    await strict.stop();
    expect(answer).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('of a large body: one of a partner, and a caller who breaks off gives it back', async () => {
    const of = await api.partner();
    const socket = await hold(of, LARGE, 2);
    const second = await bulk(of, honest(3_000));
    expect(second).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
    expect(second.headers.get('Retry-After')).toBe('5');
    expect((await bulk(of, 'x')).status).toBe(422);
    socket.destroy();
    await until('a free place', async () => (await bulk(of, 'x'.repeat(LARGE))).status === 422);
  });

  test('of large bodies: four in a process, and all are given back', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => api.partner()));
    const sockets = await Promise.all(others.slice(1).map((of) => hold(of, LARGE, 2)));
    const fifth = await bulk(others[0]!, 'x'.repeat(LARGE));
    expect(fifth).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(fifth.headers.get('Retry-After')).toBe('1');
    for (const socket of sockets) socket.destroy();
    await until('a free place', async () => (await bulk(others[0]!, 'x'.repeat(LARGE))).status === 422);
  });
});

test('ten thousand honest lines are accepted, and others are answered meanwhile', async () => {
  const body = JSON.stringify(honest(10_000));
  expect(body.length).toBeGreaterThan(1_900_000);
  const { given, answered } = await meanwhile(await api.partner(), () => bulk(partner, body));
  const { status, body: said } = given;
  expect([status, said.data?.lines.total]).toEqual([202, 10_000]);
  expect(answered).toBeGreaterThan(0);
});

test('with a line in each line it is the same request as in JSON', async () => {
  const { reference: named, transfers } = honest(500) as { reference: string; transfers: object[] };
  const lines = [{ reference: named }, ...transfers].map((one) => `${JSON.stringify(one)}\n`).join('');
  const headers = { 'Idempotency-Key': 'as-lines' };
  const first = await bulk(partner, lines, { ...headers, 'Content-Type': 'application/x-ndjson' });
  expect([first.status, first.body.data?.lines.total]).toEqual([202, 500]);
  const again = await bulk(partner, { transfers, reference: named }, headers);
  expect([again.status, again.text, again.headers.get('Idempotent-Replayed')]).toEqual([
    202,
    first.text,
    'true',
  ]);
  const { body } = await bulk(partner, `${lines}not json\n`, { 'Content-Type': 'application/x-ndjson' });
  expect([body.error, body.message]).toEqual(['VALIDATION_ERROR', 'line 502 of the body is not JSON']);
  const elsewhere = await partner.post('/v1/wallets', lines, { 'Content-Type': 'application/x-ndjson' });
  expect(elsewhere.status).toBe(422);
});

describe('a fault that is asked for', () => {
  test('is met before a byte of the body was read', async () => {
    const of = await api.partner();
    const headers = [
      ['Authorization', `Bearer ${of.key}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(EIGHT_MB)],
      ['X-Sandbox-Fault', 'before_503'],
    ] as const;
    expect((await sendRaw(api.port, requestText('POST', BULK, headers))).status).toBe(503);
  });

  test('holds no place while it is waited for, and none of a caller who has gone', async () => {
    const of = await api.partner();
    const socket = await drip(of, LARGE, [['X-Sandbox-Fault', 'slow:9000']]);
    await sleep(100);
    expect((await bulk(of, 'x'.repeat(LARGE))).status).toBe(422);
    socket.destroy();
  });

  test('that takes longer than a body is waited for is refused with a large one alone', async () => {
    const slow = { 'X-Sandbox-Fault': 'slow:9001' };
    const { status, body } = await bulk(partner, ' '.repeat(16_385), slow);
    expect([status, body.detail.fields[0].field]).toEqual([422, 'X-Sandbox-Fault']);
  });
});
