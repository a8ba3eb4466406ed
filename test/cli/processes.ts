/** Processes as the system sees them. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Numbers of the processes whose command line holds `words`. Zombies have none. */
export function processesWith(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(words))
    .map(Number);
}

/** Those of them that descend from `ancestor`. */
export function childrenOf(ancestor: number | undefined, words: string): number[] {
  const descends = (pid: number): boolean => pid > 1 && (pid === ancestor || descends(parentOf(pid)));
  return processesWith(words).filter(descends);
}

/** 0 for a process that has ended. */
function parentOf(pid: number): number {
  try {
    // `pid (name) state parent ...`; the name may hold spaces and brackets.
    return Number(
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        ?.split(' ')[1],
    );
  } catch {
    return 0;
  }
}

function commandLine(pid: string): string {
  const file = `/proc/${pid}/cmdline`;
  try {
    return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\0', ' ') : '';
  } catch {
    // It ended while we looked.
    return '';
  }
}
