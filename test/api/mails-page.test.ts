/** The mails of the local sandbox stand in files and on a page, for a person at this machine alone. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '../../src/monitoring/metrics';
import { readWorkerConfig } from '../../src/runtime/config';
import { startMailSender, type MailSender } from '../../src/worker/mail-sender';
import { temporaryFolder } from '../cli/folder';
import type { TestApi } from '../support/api';
import { testLogger } from '../support/log';
import { newOwner, type Person } from '../support/people';
import { apiForFile } from '../support/scene';
import { TEST_SETTINGS } from '../support/settings';
import { sendRaw } from '../support/sockets';
import { until } from '../support/until';

const { world, api } = apiForFile();
const folder = join(temporaryFolder(), 'mail');
let local: TestApi;
let sender: MailSender;
let first: Person;
let second: Person;

const pageAt = async ({ port }: TestApi) => {
  const answer = await fetch(`http://127.0.0.1:${String(port)}/mails`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

beforeAll(async () => {
  local = await world.startApi({ MAIL_FOLDER: folder });
  const empty = await pageAt(local);
  expect([empty.status, empty.text]).toEqual([200, expect.stringContaining('There is no mail yet')]);
  const config = readWorkerConfig({ ...TEST_SETTINGS, DATABASE_URL: world.databaseUrl, MAIL_FOLDER: folder });
  sender = startMailSender(config, api.environments.live.sealing, testLogger(config), createMetrics());
  first = await newOwner(api, world);
  await until('the first mail', async () => (await pageAt(local)).text.includes(first.email));
  second = await newOwner(api, world);
  await until('the second mail', async () => (await pageAt(local)).text.includes(second.email));
});
afterAll(() => sender.stop());

test('the newest mail comes first, with its text', async () => {
  const { text, headers } = await pageAt(local);
  expect(text.indexOf(second.email)).toBeLessThan(text.indexOf(first.email));
  expect(text).toContain('Subject: Confirm your email address');
  expect(text).toContain('/v1/auth/email/confirm');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('the token of the page confirms the address', async () => {
  const { text } = await pageAt(local);
  const token = /"token":"([\w-]{43})"/.exec(text.replaceAll('&quot;', '"'))?.[1];
  const confirmed = await api.call('POST', '/v1/auth/email/confirm', { body: { token } });
  expect(confirmed).toMatchObject({ status: 200, body: { data: { email: second.email } } });
});

test('each mail is a file that only its owner reads', () => {
  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  expect(files.map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('without a folder there is no page', async () => {
  expect((await pageAt(api)).status).toBe(404);
});

test.each([
  ['another host name', 'Host: elsewhere.example'],
  ['X-Forwarded-For', 'Host: localhost\r\nX-Forwarded-For: 203.0.113.7'],
  ['Forwarded', 'Host: localhost\r\nForwarded: for=203.0.113.7'],
  ['Via', 'Host: localhost\r\nVia: 1.1 proxy'],
])('whoever reads the page from elsewhere finds none: %s', async (_what, headers) => {
  const answer = await sendRaw(local.port, `GET /mails HTTP/1.1\r\n${headers}\r\n\r\n`);
  expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
});
