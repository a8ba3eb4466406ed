/**
 * The queue of accepted workflows that wait for their start. To start a workflow costs the machine several times
 * as much as to accept it, so a busy process starts only a few at once. The queue in memory is limited; the other
 * workflows wait in their table.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { countFailedStarts, markStarted, overdueIntentions } from '../db/events/intentions';
import type { Cell } from '../db/pg/postgres';
import type { Intention } from '../domain/intentions';

/** How many starts run at once while the process has time: enough to keep a Temporal server busy. */
const AT_ONCE = 20;
/**
 * A busy process starts one workflow at a time and rests after each. On a small machine a whole workflow takes as
 * much processor time as dozens of requests, and callers wait for the answers to requests, not for workflows. The
 * sweep, in the worker, starts what has waited for more than a few seconds.
 */
const REST_WHILE_BUSY_MS = 50;
/** A process is busy when it works for more than this share of its time. */
const BUSY_SHARE = 0.5;
/**
 * The time over which that share is measured: long enough for an average, short enough to start at full speed soon
 * after a load.
 */
const BUSY_LOOK_MS = 100;
/**
 * The limit of the queue: about twice what a busy process starts between two sweeps. What waits longer is started
 * by the sweep.
 */
const WAITING_MAX = 200;
/**
 * How long marks of started workflows and counts of failed starts are collected. No caller waits for them, and one
 * commit writes many: while Temporal is away, they must not take the connections that requests need. A workflow
 * without its mark is only started a second time in vain.
 */
const MARK_AFTER_MS = 50;

export interface Starts {
  /** Takes committed intentions, and returns at once. */
  add(cell: Cell, intentions: readonly Intention[]): void;
  /** Resolves when nothing waits here for its start or for its mark. */
  idle(): Promise<void>;
}

export interface StartsOptions {
  /** Starts one workflow. @returns false when it could not be started now. */
  startOne: (intention: Intention) => Promise<boolean>;
  /** Is told when marks could not be written or a table could not be read; the sweep repeats both. */
  onError: (error: unknown, what: string) => void;
}

export function createStarts({ startOne, onError }: StartsOptions): Starts {
  const isBusy = watchLoop();
  const waiting: { cell: Cell; intention: Intention }[] = [];
  const tried = new Map<Cell, { started: string[]; failed: string[] }>();
  /** The cells whose tables hold intentions that found no place in the queue. */
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
    const isStarted = await startOne(intention);
    // Temporal has failed to start some, so the rest of the table is left to the sweep.
    if (!isStarted) overflowed.delete(cell);
    toMark(cell, intention.workflowId, isStarted);
    if (isBusy()) await sleep(REST_WHILE_BUSY_MS);
  }

  function toMark(cell: Cell, workflowId: string, isStarted: boolean): void {
    const of = tried.get(cell) ?? { started: [], failed: [] };
    tried.set(cell, of);
    (isStarted ? of.started : of.failed).push(workflowId);
    if (marking) return;
    marking = true;
    setTimeout(() => void mark(), MARK_AFTER_MS);
  }

  async function mark(): Promise<void> {
    const marks = [...tried];
    tried.clear();
    for (const [cell, { started, failed }] of marks) {
      try {
        if (started.length > 0) await markStarted(cell, started);
        if (failed.length > 0) await countFailedStarts(cell, failed);
      } catch (error) {
        onError(error, 'mark workflows');
      }
    }
    marking = tried.size > 0;
    if (marking) setTimeout(() => void mark(), MARK_AFTER_MS);
    else goOn();
  }

  /** Another process may start some of these at the same time; the second start finds the workflow running. */
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

/** @returns whether this process was busy in the last moments. */
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
