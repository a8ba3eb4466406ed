/** What can be told about another process by its number. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a process has this number now; it need not be the one that had it before. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Alive, but of another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether its command line holds `words`. Where the system cannot be asked (Windows), it is believed. */
export function runsCommand(pid: number, words: string): boolean {
  if (process.platform === 'win32') return isAlive(pid);
  if (!existsSync('/proc/self/cmdline')) {
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.includes(words);
  }
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(words);
  } catch {
    return false;
  }
}
