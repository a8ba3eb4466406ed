/** Before the first end-to-end test of a run. */
import { preparePostgres, prepareTemporal } from './run';

export default async function prepare(): Promise<void> {
  await Promise.all([preparePostgres(), prepareTemporal()]);
}
