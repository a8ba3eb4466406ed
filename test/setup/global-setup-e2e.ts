/** Before the first end-to-end test of a run. */
import { prepareBuild, preparePostgres, prepareSharedPlatform, prepareTemporal } from './run';

export default async function prepare(): Promise<void> {
  await prepareBuild();
  await Promise.all([preparePostgres(), prepareTemporal(), prepareSharedPlatform()]);
}
