/**
 * Both environments of the platform that files share, opened once more, as another API would: for tests that call an
 * operation without HTTP. They are apart from `shared-platform.ts` because each file that imports them loads most of
 * the product.
 */
import type { EnvironmentName } from '../../src/domain/partners';
import { readConfig } from '../../src/runtime/config';
import { bothEnvironments } from './both-environments';
import type { Environment } from '../../src/runtime/environment';
import { testFile } from '../setup/test-file';
import { testLogger } from './log';
import { settingsOfShared } from './shared-settings';

export interface SharedEnvironments extends Record<EnvironmentName, Environment> {
  close(): Promise<void>;
}

/** Close them before the platform's own connections. */
export async function sharedEnvironments(): Promise<SharedEnvironments> {
  const file = testFile();
  if (!file) throw new Error('only a test file can share a platform');
  const { databaseUrl, temporalAddress } = await file.sharedPlatform();
  const config = readConfig(settingsOfShared(databaseUrl, temporalAddress));
  const environments = bothEnvironments(config, testLogger(config), 'api');
  return {
    ...environments,
    async close() {
      await Promise.all(Object.values(environments).map((environment) => environment.close()));
    },
  };
}
