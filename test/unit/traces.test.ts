/** The traces of a process: off unless they are asked for, and harmless when their collector is slow or away. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTraces } from '../../src/runtime/traces';
import { openCollector } from '../support/collector';
import { forgetLog, logLines, testLogger } from '../support/log';
import { PLATFORM_SETTINGS } from '../support/settings';
import { until } from '../support/until';

const ROOT = join(__dirname, '..', '..');
const logger = testLogger({ LOG_LEVEL: 'silent' });

const span = (requestId = 'req_0198a1b2c3d47e5f8091a2b3c4d5e6f7') => ({
  requestId,
  name: 'bankTransfer',
  kind: 'server' as const,
  durationMs: 7.25,
  attributes: { 'http.response.status_code': 202, code: undefined },
  hasFailed: false,
});

/**
 * Opens what the API and the worker open, first as it is and then with the variable, and counts each time the modules of
 * OpenTelemetry that were loaded: all but its types and empty defaults, which the library of the metrics loads too.
 */
const COUNT = `
  const { openEnvironments } = require('./src/runtime/environment.ts');
  require('./src/api/app.ts');
  require('./src/worker/worker.ts');
  const { readConfig } = require('./src/runtime/config.ts');
  const counts = [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }].map((more) => {
    Object.assign(process.env, more);
    openEnvironments(readConfig(), require('pino')({ level: 'silent' }), 'api');
    return Object.keys(require.cache).filter((path) => /@opentelemetry.(?!api.)/.test(path)).length;
  });
  console.log(JSON.stringify(counts));
  process.exit(0);
`;

test('without the variable no module of OpenTelemetry is loaded', async () => {
  const DATABASE_URL = 'postgres://wallet@127.0.0.1:1/wallet';
  const env = { PATH: process.env['PATH'], ...PLATFORM_SETTINGS, DATABASE_URL };
  const args = ['--import', 'tsx', '--input-type=commonjs', '--eval', COUNT];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  const [without, having] = JSON.parse(stdout) as number[];
  expect(without).toBe(0);
  expect(having).toBeGreaterThan(0);
});

test('without an address there are no traces', () => {
  expect(openTraces(undefined, 'api', logger)).toBeNull();
});

test.each(['', '/', '/otlp/'])('spans are posted below the address: %j', async (path) => {
  const collector = await openCollector();
  const traces = openTraces(`${collector.url}${path}`, 'api', logger);
  traces?.add(span());
  await traces?.flush();
  expect(collector.posts.map((post) => post.path)).toEqual([`${path.replace(/\/$/, '')}/v1/traces`]);
  const [sent] = collector.of(span().requestId);
  expect(sent).toMatchObject({
    service: 'api',
    traceId: '0198a1b2c3d47e5f8091a2b3c4d5e6f7',
    spanId: '8091a2b3c4d5e6f7',
    name: 'bankTransfer',
    hasFailed: false,
    attributes: { 'http.response.status_code': 202 },
  });
  expect(sent!.endMs - sent!.startMs).toBeCloseTo(7.25, 1);
  await collector.close();
});

test('a collector that does not answer keeps nobody waiting, and the queue stays small', async () => {
  const collector = await openCollector('silence');
  const traces = openTraces(collector.url, 'api', logger);
  const since = performance.now();
  for (let count = 0; count < 20_000; count++) traces?.add(span());
  await traces?.flush();
  expect(performance.now() - since).toBeLessThan(5_000);
  await until('what found a place in the queue', () => collector.posts.length >= 4 || undefined);
  const sent = collector.posts.map(({ text }) => text.split('"traceId"').length - 1);
  expect(sent.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_048 + 512);
  await collector.close();
});

test.each([
  ['refuses', async () => openCollector(400)],
  ['is away', async () => ({ url: await unusedAddress(), close: () => Promise.resolve() })],
])('a collector that %s costs the spans and leaves a warning', async (_, open) => {
  forgetLog();
  const collector = await open();
  const traces = openTraces(collector.url, 'api', testLogger({ LOG_LEVEL: 'warn' }));
  traces?.add(span());
  await traces?.flush();
  await until('a warning', () =>
    logLines().find(({ msg }) => msg === 'The spans of traces could not be sent, so they are dropped'),
  );
  await collector.close();
});

async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('bug: the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
