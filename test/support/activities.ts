/** Activities on a test's database, run as Temporal runs them, but without a Temporal server. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities, type Activities } from '../../src/activities';
import { readConfig } from '../../src/runtime/config';
import { openEnvironments, type Environment } from '../../src/runtime/environment';
import { createWebhookSender } from '../../src/providers/webhooks/sender';
import { testLogger } from './log';
import { TEST_CELLS } from '../setup/cells';
import { TEST_SETTINGS } from './settings';

export interface TestActivities {
  readonly sandbox: Environment;
  run<Name extends keyof Activities>(
    name: Name,
    ...args: Parameters<Activities[Name]>
  ): Promise<Awaited<ReturnType<Activities[Name]>>>;
  close(): Promise<void>;
}

/** @param change puts something else in the sandbox's place, such as a fake of a provider. */
export function openActivities(
  url: string,
  settings: Record<string, string> = {},
  change: (environment: Environment) => Environment = (environment) => environment,
): TestActivities {
  const config = readConfig({
    DATABASE_URL: url,
    ...TEST_SETTINGS,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
    ...settings,
  });
  const logger = testLogger(config);
  const { sandbox, live } = openEnvironments(config, logger, 'worker');
  const sender = createWebhookSender({ rules: { allowPrivate: true, httpsOnly: false }, timeoutMs: 5_000 });
  const activities = createActivities({
    environment: change(sandbox),
    // No API runs here, so the simulated bank cannot call back.
    config: { ...config, PUBLIC_URL: '' },
    sender,
    logger,
  });
  return {
    sandbox,
    run: (name, ...args) =>
      new MockActivityEnvironment().run(activities[name] as never, ...(args as never[])),
    async close() {
      await sender.close();
      await Promise.all([sandbox, live].map((environment) => environment.close()));
    },
  };
}
