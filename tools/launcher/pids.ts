/** What can be told about another process by its number. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a process of this number runs, and its command line holds `words`. Windows tells only the first. */
export function runsCommand(pid: number, words: string): boolean {
  try {
    if (process.platform === 'win32') return process.kill(pid, 0);
    if (existsSync('/proc/self')) return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(words);
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.includes(words);
  } catch (error) {
    // There is such a process, but it belongs to another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
