/**
 * A flush of the log that takes as long everywhere. Where a host answers from its memory a flush costs nothing, and on a
 * cloud's volume one or two milliseconds: a row whose yardstick is little else would measure the disk
 * (docs/decisions/0048).
 */
import type { BenchPlatform } from './platform';

/** What each flush takes beside the disk's own time. */
const FLUSH_MS = 1;

/**
 * Does `work` while Postgres waits before each flush, as it can do to gather more commits. It keeps the right to write the log
 * meanwhile, as during the flush itself.
 */
export async function withSteadyFlush(platform: BenchPlatform, work: () => Promise<void>): Promise<void> {
  // With no siblings asked for, it waits also when nobody else is about to commit.
  const settings = { commit_siblings: 0, commit_delay: FLUSH_MS * 1_000 };
  for (const [name, value] of Object.entries(settings)) {
    await platform.sql(`ALTER SYSTEM SET ${name} = ${String(value)}`);
  }
  await platform.sql('SELECT pg_reload_conf()');
  try {
    await work();
  } finally {
    for (const name of Object.keys(settings)) await platform.sql(`ALTER SYSTEM RESET ${name}`);
    await platform.sql('SELECT pg_reload_conf()');
  }
}
