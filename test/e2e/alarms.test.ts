/**
 * The alarms about workers and Temporal, each raised by breaking it, and what a worker says of itself: one form of log lines,
 * and the metrics of Temporal's SDK beside our own.
 */
import { ALARMS, notRaised, raisedAmong, SDK_METRICS } from '../support/alarms';
import type { Calls } from '../support/calls';
import type { Child } from '../support/children';
import { openPlatform, type Platform } from '../support/platform';
import { labelsOf, metricsIn, readMetrics, type Sample } from '../support/prometheus';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';

/** In production the sweep comes every 30 seconds, and scrapes every 10: together half a minute later than here. */
const SWEEP_EVERY_MS = 10_000;
const ALARM_WITHIN_MS = 60_000 - 30_000;

let platform: Platform;
let api: Child;
let worker: Child;
let partner: Calls;
let receiver: Receiver;
/** Opened while all processes had the same keys. */
let walletId: string;

beforeAll(async () => {
  platform = await openPlatform({ settings: { SWEEP_EVERY_MS: String(SWEEP_EVERY_MS), LOG_LEVEL: 'info' } });
  [api, worker] = await Promise.all([platform.startChild('api'), platform.startChild('worker')]);
  partner = await platform.partner(`http://127.0.0.1:${api.port}`);
  receiver = await openReceiver(() => 500);
});

afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const scrape = async ({ operatorPort }: Child): Promise<Sample[]> =>
  readMetrics(await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text());

const readiness = async ({ operatorPort }: Child): Promise<number> =>
  (await fetch(`http://127.0.0.1:${operatorPort}/ready`)).status;

const raised = (names: string[], of: Child, before: Sample[] = [], withinMs?: number): Promise<boolean> =>
  until(
    `the alarm ${names.join()}`,
    async () => notRaised(names, await scrape(of), before).length === 0,
    withinMs,
  );

test('WebhooksFail: a receiver answers 500', async () => {
  const before = await scrape(worker);
  await partner.post('/v1/webhooks', { url: receiver.url, events: ['transaction.completed'] });
  ({ id: walletId } = await partner.wallet(5));
  // A few refused attempts raise nothing: more than twenty do.
  for (let funded = 0; funded < 25; funded++) {
    await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 });
  }
  expect(await raised(['WebhooksFail'], worker, before)).toBe(true);
});

test('a healthy worker shows the metrics of Temporal’s SDK at its port, and raises no alarm about workers', async () => {
  const names = await until('the metrics of the SDK', async () => {
    const seen = new Set((await scrape(worker)).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    return SDK_METRICS.every((name) => seen.has(name)) && seen;
  });
  expect([...names]).toEqual(expect.arrayContaining(['process_ready', 'workers_seen', ...SDK_METRICS]));
  for (const child of [api, worker]) {
    const now = await scrape(child);
    expect(raisedAmong(['WorkersAreAway', 'TemporalIsAway', 'NotReady'], now)).toEqual([]);
    const seen = now.filter(({ name }) => name === 'workers_seen').map(({ value }) => value);
    expect(seen).toEqual([1, 1, 1, 1]);
  }
});

/** What is there only where a company outside serves, a certificate is used, or a day was imported. */
const NOT_AT_REST = [
  'banks_differing',
  'certificate_ends_seconds',
  'inbound_quiet_seconds',
  'movements_behind_seconds',
  'payout_float_hours',
  'payout_unauthorized_oldest_seconds',
  'payout_unknown_oldest_seconds',
  'provider_breaker_open_seconds',
  'provider_day_late_seconds',
];
/** What Prometheus adds, and what is written only where it applies. */
const ADDED_LABELS = ['job', 'instance', 'not_configured'];

test('every metric of every alarm is there in a running platform, with the labels that the alarm asks for', async () => {
  const texts = await Promise.all(
    [api, worker].map(async ({ operatorPort }) =>
      (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text(),
    ),
  );
  const samples = texts.flatMap(readMetrics);
  const missing: string[] = [];
  const atRest = new Set<string>();
  for (const { alert, expr } of ALARMS) {
    for (const name of metricsIn(expr).filter((one) => one !== 'up')) {
      const found = samples.filter((one) => one.name === name);
      const family = name.replace(/_(bucket|count)$/, '');
      if (!texts.some((text) => text.includes(`# TYPE ${family} `))) missing.push(`${alert}: ${name}`);
      if (found.length === 0) atRest.add(name);
      const isAsked = (label: string): boolean =>
        label === 'le' ? name.endsWith('_bucket') : !ADDED_LABELS.includes(label);
      const asked = labelsOf(name, expr).filter(isAsked);
      for (const label of found.length > 0 ? asked : []) {
        if (!found.some(({ labels }) => label in labels)) missing.push(`${alert}: ${name}{${label}}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect([...atRest].sort()).toEqual(NOT_AT_REST);
});

test('with all workers stopped the API raises WorkersAreAway within a minute, without any traffic', async () => {
  await worker.kill();
  expect(await raised(['WorkersAreAway'], api, [], ALARM_WITHIN_MS)).toBe(true);
});

test('a worker that lacks a key and an SMTP server: SecretsCannotBeOpened, MailsFail', async () => {
  worker = await platform.startChild('worker', {
    DATA_KEY_SANDBOX: Buffer.alloc(32, 99).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@wallet.example',
  });
  const before = await scrape(worker);
  for (const number of [1, 2, 3]) {
    await partner.post('/v1/auth/register', {
      business_name: 'Mailed Fintech',
      email: `owner-${String(number)}@mailed.example`,
      phone: '+2348012345678',
      password: 'a long enough secret phrase 71',
    });
  }
  await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 5 });
  expect(await raised(['SecretsCannotBeOpened'], worker, before)).toBe(true);
  expect(await raised(['MailsFail'], worker, before)).toBe(true);
});

test('without Temporal: a worker is not ready, and both processes raise TemporalIsAway', async () => {
  expect(await readiness(worker)).toBe(200);
  await platform.temporal.stop();
  await until('a worker that is not ready', async () => (await readiness(worker)) === 503);
  expect(await readiness(api)).toBe(200);
  expect(await raised(['TemporalIsAway'], api)).toBe(true);
  expect(await raised(['TemporalIsAway'], worker)).toBe(true);
  expect(await raised(['NotReady'], worker)).toBe(true);
});

test('every line of both processes is JSON of one form, those of Temporal’s SDK and of its core too', async () => {
  // The core reports that Temporal is away.
  const ofSdk = await until('a line of the core', () =>
    linesOf(worker).find(({ sdkComponent }) => sdkComponent === 'core'),
  );
  expect(ofSdk).toMatchObject({ name: 'worker', level: expect.any(Number), msg: expect.any(String) });
  for (const child of [api, worker]) {
    for (const line of linesOf(child)) {
      expect(line).toMatchObject({
        level: expect.any(Number),
        time: expect.any(Number),
        pid: child.pid,
        msg: expect.any(String),
      });
    }
  }
});

/** Everything that a process has written, line by line. The last line may be on its way. */
const linesOf = (child: Child): Record<string, unknown>[] =>
  child
    .said()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
