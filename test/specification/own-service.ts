/** A platform of a file's own, for tests that need another configuration than the shared one. */
import { openPlatform } from '../support/platform';
import { serviceOf, type Service } from './client';

/** @param settings environment variables laid over the short periods of the tests. */
export async function openOwnService(settings: Record<string, string>): Promise<Service> {
  const platform = await openPlatform({ settings });
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  return serviceOf(platform, url);
}
