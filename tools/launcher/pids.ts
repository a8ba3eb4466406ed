/** What can be told about another process by its number. */
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

/** Whether its command line holds `words`. Where the system cannot be asked (no /proc), it is believed. */
export function runsCommand(pid: number, words: string): boolean {
  if (!existsSync('/proc/self/cmdline')) return isAlive(pid);
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(words);
  } catch {
    return false;
  }
}
