/**
 * The platform that files of a run share, several of them at once: API and worker as processes of their own. A file
 * has partners of its own there and must not count over all of them, nor change what others use. What needs another
 * configuration, an outage, or a changed environment opens a platform of its own (`platform.ts`).
 */
import { testFile } from '../setup/test-file';
import { openAccess, type PlatformAccess } from './platform-access';

export interface SharedPlatform extends PlatformAccess {
  /** Of the API. */
  readonly url: string;
}

/** Starts it when the run has none yet. Close it: that ends our connections, and the platform goes on. */
export async function sharedPlatform(): Promise<SharedPlatform> {
  const file = testFile();
  if (!file) throw new Error('only a test file can share a platform');
  const { url, databaseUrl, temporalAddress, operatorUrl } = await file.sharedPlatform();
  return { ...openAccess(databaseUrl, temporalAddress, () => operatorUrl), url };
}
