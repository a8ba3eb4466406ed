/** What `wallet listen` sends to a receiver, and what its keys do. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onKeys } from '../../../cli/keys';
import { openForwarding, type Target } from '../../../cli/listen';
import type { StreamedEvent } from '../../../sdk/src';
import { openReceiver, type Receiver } from '../../support/receiver';
import { until } from '../../support/until';

const SECRET = `sk_wh_${Buffer.alloc(24, 7).toString('base64')}`;
const stopped = new AbortController();
let receiver: Receiver;
let lines: string[] = [];

beforeAll(async () => {
  receiver = await openReceiver();
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
});
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  jest.restoreAllMocks();
  await receiver.close();
});

const eventOf = (id: string): StreamedEvent => {
  const event = {
    event: 'wallet.activated',
    data: { id },
    timestamp: '2026-11-30T08:00:00.000Z',
    webhook_id: `wh_${id}`,
  };
  return { id, rawBody: JSON.stringify(event), event: event as unknown as StreamedEvent['event'] };
};
const open = (more: Partial<Target> = {}) =>
  openForwarding({ url: receiver.url, secret: SECRET, asJson: false, ...more }, stopped.signal);
const ids = (of: string): string[] => receiver.about(of).map(({ body }) => body.webhook_id as string);

test('an event is sent with the headers that were asked for, which do not replace the signature', async () => {
  const forwarding = open({ headers: { 'X-Tenant': 'acme', 'Webhook-Signature': 'v1,none' } });
  await forwarding.send(eventOf('one'));
  await forwarding.end();
  const [delivery] = receiver.about('one');
  expect(delivery!.headers['x-tenant']).toBe('acme');
  expect(delivery!.headers['webhook-signature']).toMatch(/^v1,.{40,}$/);
});

test('the last event is sent again, with the same bytes, and before there is one nothing is', async () => {
  const forwarding = open();
  forwarding.again();
  expect(lines).toEqual(['Nothing was sent yet.\n']);
  await forwarding.send(eventOf('last'));
  forwarding.again();
  await forwarding.end();
  expect(ids('last')).toEqual(['wh_last', 'wh_last']);
  expect(new Set(receiver.about('last').map(({ text }) => text)).size).toBe(1);
});

test('what comes while it is paused is sent afterwards, and the end of the command does not wait for it', async () => {
  const forwarding = open();
  forwarding.pause();
  let isSent = false;
  const sending = forwarding.send(eventOf('held')).then(() => (isSent = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([isSent, ids('held')]).toEqual([false, []]);
  forwarding.pause();
  await sending;
  await forwarding.end();
  expect(ids('held')).toEqual(['wh_held']);

  const ending = new AbortController();
  const other = openForwarding({ url: receiver.url, secret: SECRET, asJson: false }, ending.signal);
  other.pause();
  const never = other.send(eventOf('never'));
  ending.abort();
  await never;
  await other.end();
  expect(ids('never')).toEqual([]);
});

test('a certificate that nobody has signed is said, and taken where that was asked for', async () => {
  const file = (name: string): Buffer => readFileSync(join(__dirname, '../../certificates', name));
  const server = createServer(
    { key: file('receiver.key'), cert: file('receiver.pem') },
    (_request, response) => response.writeHead(204).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  for (const skipVerify of [false, true]) {
    const forwarding = open({ url, skipVerify });
    await forwarding.send(eventOf('tls'));
    await forwarding.end();
  }
  expect(
    lines.filter((line) => line.includes('-->')).map((line) => /\[([^\]]*)\] \d+ ms/.exec(line)?.[1]),
  ).toEqual(['no trusted certificate: --skip-verify takes it', '204']);
  server.closeAllConnections();
  server.close();
});

test('keys are read from a terminal alone, and Ctrl-C ends the command', async () => {
  const raw: boolean[] = [];
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
  });
  const pressed: string[] = [];
  const giveBack = onKeys({ r: () => pressed.push('r') }, () => pressed.push('stop'), terminal);
  terminal.write('xr\u0003');
  await until('the keys', () => pressed.length === 2);
  expect(pressed).toEqual(['r', 'stop']);
  giveBack();
  expect([raw, terminal.isPaused()]).toEqual([[true, false], true]);

  const pipe = new PassThrough();
  onKeys({ r: () => pressed.push('r') }, () => pressed.push('stop'), pipe)();
  expect(pipe.listenerCount('data')).toBe(0);
});
