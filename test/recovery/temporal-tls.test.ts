/**
 * Temporal behind TLS that asks for a client certificate: the connections of the API and of the worker bring the
 * certificate of the configuration.
 */
import { NativeConnection } from '@temporalio/worker';
import { readConfig } from '../../src/runtime/config';
import { temporalConnection } from '../../src/runtime/temporal-connection';
import { servesNamespace } from '../../src/runtime/temporal-health';
import { temporalTransport } from '../../src/runtime/temporal-transport';
import { startChild } from '../support/children';
import { installQuietRuntime } from '../support/quiet-runtime';
import { reserveTemporal, type ReservedTemporal } from '../support/reserved-temporal';
import { TEST_SETTINGS } from '../support/settings';
import {
  FRONT_CALLER,
  FRONT_CERTIFICATE,
  FRONT_CERTIFICATE_AS_VALUES,
  FRONT_TRUST,
  openTemporalFront,
  type TemporalFront,
} from '../support/temporal-front';
import { NAMESPACES } from '../setup/cells';

const [NAMESPACE = ''] = NAMESPACES;

const DATABASE = { DATABASE_URL: 'postgres://wallet@127.0.0.1:1/wallet' };

let temporal: ReservedTemporal;
let front: TemporalFront;

beforeAll(async () => {
  installQuietRuntime();
  temporal = await reserveTemporal();
  await temporal.start();
  front = await openTemporalFront(temporal.address);
});
beforeEach(() => {
  front.callers = [];
});
afterAll(async () => {
  await front.close();
  await temporal.discard();
});

const transportWith = (settings: Record<string, string>) =>
  temporalTransport(
    readConfig({ ...TEST_SETTINGS, ...DATABASE, TEMPORAL_ADDRESS: front.address, ...settings }),
  );

async function apiReaches(settings: Record<string, string>): Promise<boolean> {
  const connection = temporalConnection(transportWith(settings), NAMESPACE);
  try {
    return await servesNamespace(connection, NAMESPACE, 5_000);
  } finally {
    await connection.close();
  }
}

async function workerReaches(settings: Record<string, string>): Promise<boolean> {
  try {
    const connection = await NativeConnection.connect(transportWith(settings));
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

describe.each([
  ['the API', apiReaches],
  ['the worker', workerReaches],
])('%s reaches a Temporal that asks for a client certificate', (_who, reaches) => {
  test.each([
    ['with the files of one', FRONT_CERTIFICATE],
    ['with the values of one', FRONT_CERTIFICATE_AS_VALUES],
  ])('%s', async (_how, certificate) => {
    expect(await reaches({ ...FRONT_TRUST, ...certificate })).toBe(true);
    expect(front.callers).toContain(FRONT_CALLER);
  });
  test.each<[how: string, settings: Record<string, string>]>([
    ['not without one', FRONT_TRUST],
    [
      'not where the server has another name',
      { ...FRONT_TRUST, ...FRONT_CERTIFICATE, TEMPORAL_TLS_SERVER_NAME: 'else.example' },
    ],
    ['not in the clear', {}],
  ])('%s', async (_how, settings) => {
    expect(await reaches(settings)).toBe(false);
    expect(front.callers).not.toContain(FRONT_CALLER);
  });
});

test.each(['api', 'worker'] as const)(
  'the %s does not start in production with a plain address elsewhere',
  async (program) => {
    const settings = { ...DATABASE, NODE_ENV: 'production', TEMPORAL_ADDRESS: 'temporal.example:7233' };
    await expect(startChild(program, { ...TEST_SETTINGS, ...settings })).rejects.toThrow(
      'TEMPORAL_ADDRESS: must not be another machine without TLS in production: set TEMPORAL_TLS=true, or ' +
        'TEMPORAL_ALLOW_PLAINTEXT=true',
    );
  },
);
