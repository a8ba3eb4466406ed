/**
 * What processes take of the machine while something is measured, as Linux counts it; on other systems nothing is
 * reported.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Usage } from '../scenario';

export interface Watched {
  name: string;
  /** Its children count with it: Postgres has one for each connection. */
  pid: number;
}

/** Starts to watch. @returns a function that tells what each process took since then, and its memory now. */
export function watchUsage(processes: readonly Watched[]): () => Usage[] {
  if (!existsSync('/proc/self/stat')) return () => [];
  const startedAt = performance.now();
  const before = processes.map(({ pid }) => cpuSecondsOf(pid));
  return () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    return processes.map(({ name, pid }, index) => {
      const cpuSeconds = cpuSecondsOf(pid) - (before[index] ?? 0);
      return { name, cpuSeconds, cpuPercent: (cpuSeconds / seconds) * 100, memoryMb: memoryOf(pid) };
    });
  };
}

/**
 * What a process and its children have computed, by the scheduler's own clock: the ticks of `stat` would be too
 * coarse for the cost of one transfer. Children that have ended are counted by their parent, in ticks.
 */
function cpuSecondsOf(pid: number): number {
  return familyOf(pid).reduce((sum, member) => {
    const threads = threadsOf(member).map((thread) =>
      readOr(`/proc/${member}/task/${thread}/schedstat`, '0'),
    );
    const living = threads.reduce((nanoseconds, text) => nanoseconds + parseInt(text, 10), 0);
    const [endedUtime = 0, endedStime = 0] = fieldsOf(member).slice(13, 15).map(Number);
    return sum + living / 1e9 + (endedUtime + endedStime) / TICKS_PER_SECOND;
  }, 0);
}

const TICKS_PER_SECOND = 100;

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it ended meanwhile
  }
}

/** The proportional memory in MB: shared memory is divided among the processes that share it. */
export function memoryOf(pid: number): number {
  const kilobytes = familyOf(pid).map((member) => {
    const text = readOr(`/proc/${member}/smaps_rollup`, '');
    return Number(/^Pss: *(\d+)/m.exec(text)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1_024;
}

function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => fieldsOf(child)[1] === String(pid));
  return [pid, ...children];
}

/** The fields of `stat` after the process' name. */
const fieldsOf = (pid: number): string[] =>
  readOr(`/proc/${pid}/stat`, '').split(') ').at(-1)?.split(' ') ?? [];

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise; // it ended meanwhile
  }
}
