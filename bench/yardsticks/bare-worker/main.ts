/** The worker of the bare workflows, set up as ours is. */
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { NAMESPACES } from '../../../tools/launcher/parts';
import { serveCommands } from '../../support/program';
import type { BareActivities } from './workflows';

let done = 0;
const activities: BareActivities = {
  nothing() {
    done++;
    return Promise.resolve();
  },
};

async function main(): Promise<void> {
  // The worker ends at once when the bench ends, because nothing in it has to be finished.
  Runtime.install({ shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
  const worker = await Worker.create({
    connection,
    namespace: NAMESPACES[0],
    taskQueue: process.env.TASK_QUEUE ?? '',
    workflowsPath: require.resolve('./workflows'),
    activities,
    workflowTaskPollerBehavior: { type: 'autoscaling' },
    activityTaskPollerBehavior: { type: 'autoscaling' },
  });
  serveCommands({ done: () => done });
  await worker.run();
}

void main();
