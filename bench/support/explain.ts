/** The plans that Postgres really used, as its module auto_explain reports them. */
import { readFileSync, statSync } from 'node:fs';
import type { BenchPlatform, Program } from './platform';
import { API } from './programs';

/**
 * Runs `work` against an API of its own. Postgres explains every statement of that API.
 * @param work gets a function that gives the plans since its last call, as Postgres' log has them.
 */
export async function explained(
  platform: BenchPlatform,
  work: (api: Program, plans: () => string) => Promise<void>,
): Promise<void> {
  const settings = { session_preload_libraries: 'auto_explain', 'auto_explain.log_min_duration': '0' };
  for (const [name, value] of Object.entries(settings)) {
    await platform.sql(`ALTER DATABASE wallet SET ${name} = '${value}'`);
  }
  const api = await platform.start(API);
  let from = statSync(platform.postgresLog).size;
  await work(api, () => {
    const log = readFileSync(platform.postgresLog);
    const plans = log.subarray(from).toString();
    from = log.length;
    return plans;
  });
  await api.stop();
  for (const name of Object.keys(settings)) await platform.sql(`ALTER DATABASE wallet RESET ${name}`);
}
