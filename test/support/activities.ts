/** Activities on a test's database, run as Temporal runs them, but without a Temporal server. */
import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities, type Activities } from '../../src/activities';
import { readConfig } from '../../src/runtime/config';
import { bothEnvironments } from './both-environments';
import type { Environment } from '../../src/runtime/environment';
import { createWebhookSender } from '../../src/providers/webhooks/sender';
import { temporalLog } from '../../src/worker/temporal-runtime';
import { testLogger } from './log';
import { TEST_CELLS } from '../setup/cells';
import { TEST_SETTINGS } from './settings';

export interface TestActivities {
  readonly sandbox: Environment;
  readonly activities: Activities;
  run<Name extends keyof Activities>(
    name: Name,
    ...args: Parameters<Activities[Name]>
  ): Promise<Awaited<ReturnType<Activities[Name]>>>;
  close(): Promise<void>;
}

/** Runs one activity. That it failed goes to the report of a failing test, and not to the output. */
export const activityContext = (info: Partial<Info> = {}): MockActivityEnvironment =>
  new MockActivityEnvironment(info, { logger: temporalLog(testLogger({ LOG_LEVEL: 'warn' })) });

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
  const { sandbox, live } = bothEnvironments(config, logger, 'worker');
  const sender = createWebhookSender({ rules: { allowPrivate: true, httpsOnly: false }, timeoutMs: 5_000 });
  const activities = createActivities({
    environment: change(sandbox),
    // No API runs here, so the simulated bank cannot call back.
    config: { ...config, PUBLIC_URL: '' },
    sender,
    logger,
    ending: new AbortController().signal,
  });
  return {
    sandbox,
    activities,
    run: (name, ...args) => activityContext().run(activities[name] as never, ...(args as never[])),
    async close() {
      await sender.close();
      await Promise.all([sandbox, live].map((environment) => environment.close()));
    },
  };
}
