/** A worker of one environment works in its namespace alone: nobody asks for tasks in the other one, and no Schedule is there. */
import { Connection } from '@temporalio/client';
import { ENVIRONMENTS } from '../../src/domain/partners';
import { lookAtTaskQueue, TASK_KINDS, type TaskKind } from '../../src/runtime/temporal-health';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';

const KINDS = Object.keys(TASK_KINDS) as TaskKind[];
const ASKED_WITHIN_MS = 10_000;

describe.each(ENVIRONMENTS)('a worker of %s', (name) => {
  const other = name === 'sandbox' ? 'live' : 'sandbox';
  let platform: Platform;
  let connection: Connection;

  beforeAll(async () => {
    platform = await openPlatform({ settings: { ENVIRONMENTS: name } });
    connection = await Connection.connect({ address: platform.temporal.address });
    await platform.startWorker();
  });
  afterAll(async () => {
    await connection.close();
    await platform.close();
  });

  const workersIn = (environment: string, kind: TaskKind): Promise<number> =>
    lookAtTaskQueue(
      connection,
      { namespace: `wallet-${environment}`, taskQueue: 'wallet-core', kind },
      ASKED_WITHIN_MS,
    ).then(({ workers }) => workers);
  const schedulesIn = async (environment: string): Promise<number> =>
    (await connection.workflowService.listSchedules({ namespace: `wallet-${environment}` })).schedules.length;

  test.each(KINDS)('asks for its own %s tasks, and never for those of the other one', async (kind) => {
    await until('a worker that asks', () => workersIn(name, kind).then((workers) => workers === 1));
    expect(await workersIn(other, kind)).toBe(0);
  });

  test('makes its own Schedules, and none in the other namespace', async () => {
    await until('the Schedules', () => schedulesIn(name).then((count) => count > 0));
    expect(await schedulesIn(other)).toBe(0);
  });
});
