/**
 * Where accepted workflows wait for their start. Starting one costs the machine several times what accepting it
 * does, so a busy process starts few; what waits in memory has an end, and the rest waits in its table.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { markStarted, overdueIntentions } from '../db/events/intentions';
import type { Cell } from '../db/pg/postgres';
import type { Intention } from '../domain/intentions';

/** While the process has time: enough to keep a server of Temporal busy. */
const AT_ONCE = 20;
/**
 * While it is busy it starts one at a time and rests after each: on a small machine a workflow from its start to its
 * end takes as much time as dozens of requests, and nobody waits for it as they wait for their answers. What is
 * left by that for more than a few seconds is started by the sweep, in the worker.
 */
const REST_WHILE_BUSY_MS = 50;
/** Of its time: a process that is at work for longer than this shares a machine that has little left to give. */
const BUSY_SHARE = 0.5;
/** Long enough to be an average, short enough to start at full speed as soon as a load is over. */
const BUSY_LOOK_MS = 100;
/** About twice what a busy process starts until the sweep looks after it: what waits longer need not wait here. */
const WAITING_MAX = 200;
/** Nobody waits for a mark, and under load one commit marks many; unmarked, a workflow is only started in vain. */
const MARK_AFTER_MS = 50;

export interface Starts {
  /** Takes what was committed to be started; returns at once. */
  add(cell: Cell, intentions: readonly Intention[]): void;
  /** Ends when nothing waits here, neither for its start nor for its mark. */
  idle(): Promise<void>;
}

export interface StartsOptions {
  /** Starts one workflow. @returns false when it could not be started now. */
  startOne: (cell: Cell, intention: Intention) => Promise<boolean>;
  /** Told of marks that could not be written, and of a table that could not be read: the sweep repeats both. */
  onError: (error: unknown, what: string) => void;
}

export function createStarts({ startOne, onError }: StartsOptions): Starts {
  const isBusy = watchLoop();
  const waiting: { cell: Cell; intention: Intention }[] = [];
  const started = new Map<Cell, string[]>();
  /** Cells whose tables hold what found no place here. */
  const overflowed = new Set<Cell>();
  let running = 0;
  let marking = false;
  const quiet: (() => void)[] = [];

  function add(cell: Cell, intentions: readonly Intention[]): void {
    for (const intention of intentions) {
      if (waiting.length < WAITING_MAX) waiting.push({ cell, intention });
      else overflowed.add(cell);
    }
    goOn();
  }

  function goOn(): void {
    const atOnce = isBusy() ? 1 : AT_ONCE;
    while (running < atOnce) {
      const next = waiting.shift();
      if (!next) break;
      run(() => start(next.cell, next.intention), 'start workflows');
    }
    if (running > 0 || waiting.length > 0 || marking) return;
    const [cell] = overflowed;
    if (cell) run(() => fetch(cell), 'look for what else is to be started');
    else for (const tell of quiet.splice(0)) tell();
  }

  function run(work: () => Promise<void>, what: string): void {
    running++;
    work()
      .catch((error: unknown) => onError(error, what))
      .finally(() => {
        running--;
        goOn();
      });
  }

  async function start(cell: Cell, intention: Intention): Promise<void> {
    if (await startOne(cell, intention)) toMark(cell, intention.workflowId);
    // Temporal is in trouble: the sweep comes back to the table later.
    else overflowed.delete(cell);
    if (isBusy()) await sleep(REST_WHILE_BUSY_MS);
  }

  function toMark(cell: Cell, workflowId: string): void {
    const ids = started.get(cell);
    if (ids) ids.push(workflowId);
    else started.set(cell, [workflowId]);
    if (marking) return;
    marking = true;
    setTimeout(() => void mark(), MARK_AFTER_MS);
  }

  async function mark(): Promise<void> {
    const marks = [...started];
    started.clear();
    for (const [cell, ids] of marks) {
      await markStarted(cell, ids).catch((error: unknown) => onError(error, 'mark workflows'));
    }
    marking = started.size > 0;
    if (marking) setTimeout(() => void mark(), MARK_AFTER_MS);
    else goOn();
  }

  /** What other processes are about to start may be among it: who comes second finds it started. */
  async function fetch(cell: Cell): Promise<void> {
    overflowed.delete(cell);
    const intentions = await overdueIntentions(cell, 0, WAITING_MAX);
    if (intentions.length === WAITING_MAX) overflowed.add(cell);
    add(cell, intentions);
  }

  return {
    add,
    idle: () =>
      new Promise((resolve) => {
        quiet.push(resolve);
        goOn();
      }),
  };
}

/** @returns whether this process has been busy of late. */
function watchLoop(): () => boolean {
  let lookedAt = performance.now();
  let before = performance.eventLoopUtilization();
  let busy = false;
  return () => {
    if (performance.now() - lookedAt < BUSY_LOOK_MS) return busy;
    busy = performance.eventLoopUtilization(before).utilization > BUSY_SHARE;
    lookedAt = performance.now();
    before = performance.eventLoopUtilization();
    return busy;
  };
}
