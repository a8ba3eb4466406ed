/**
 * Threads beside the event loop, for work that would hold up every other request: reading a large body, drawing a PDF. There
 * are few of them, each does one piece of work at a time, and what it may take of memory and time is bounded. What ends a
 * thread ends the one piece of work that it did, and its caller is answered 503.
 */
import { Worker, type Transferable } from 'node:worker_threads';
import type { Logger } from 'pino';
import { UnavailableError } from '../../runtime/unavailable';
import type { Given, JobName, Part, Result } from './jobs';

/** Beside this file, whether it was built or runs from its source. */
const THREAD = require.resolve('./thread');
/** A thread that has had nothing to do for so long is ended. */
const IDLE_MS = 60_000;
/** How many pieces of work wait: of one partner, and of all. */
const WAITING_OF_OWNER_MAX = 8;
const WAITING_MAX = 64;

export interface ThreadLimits {
  /** What the threads are for, in the log: `bodies`. */
  name: string;
  /** How many there are at most. */
  count: number;
  /** The memory of JavaScript of each; beyond it the thread ends. */
  heapMb: number;
  /** From the moment when the work was asked for. */
  withinMs: number;
}

interface JobOptions<Name extends JobName> {
  /** Aborted when nobody wants the result any more: what waits is forgotten, and what is under way gets no more parts. */
  signal: AbortSignal;
  /** What is handed over to the thread and not copied. */
  handOver?: readonly Transferable[];
  /** What comes while the work is under way. */
  parts?: AsyncIterable<Part<Name>>;
}

export interface Threads {
  /**
   * Does a piece of work in a thread. Each owner has one piece done at a time, and owners take turns.
   * @param owner the partner for whom it is done.
   * @throws UnavailableError when too many wait, when it takes too long, and when the thread ends; the reason of the signal;
   *   what the work throws, and what `parts` throw.
   */
  run<Name extends JobName>(
    owner: string,
    name: Name,
    given: Given<Name>,
    options: JobOptions<Name>,
  ): Promise<Result<Name>>;
  /** Ends all threads. What is under way fails. */
  close(): Promise<void>;
}

/** What the two sides say to each other. */
export type ToThread =
  | { kind: 'job'; name: JobName; given: unknown }
  | { kind: 'part'; part: unknown }
  | { kind: 'end' }
  | { kind: 'stop' };
export type FromThread = { kind: 'done'; result: unknown } | { kind: 'failed'; error: unknown };

interface Job {
  owner: string;
  name: JobName;
  given: unknown;
  options: JobOptions<JobName>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  /** Whether its caller has an answer. The thread may still be at it. */
  isOver: boolean;
  limit: NodeJS.Timeout | undefined;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  idle: NodeJS.Timeout | undefined;
}

export function createThreads(
  { name: purpose, count, heapMb, withinMs }: ThreadLimits,
  logger: Logger,
): Threads {
  const threads = new Set<Thread>();
  /** What waits, by its owner; the owner whose turn is next comes first. */
  const waiting = new Map<string, Job[]>();
  let closed = false;

  const runningFor = (owner: string): boolean => [...threads].some(({ job }) => job?.owner === owner);
  const waitingInAll = (): number => [...waiting.values()].reduce((sum, { length }) => sum + length, 0);

  function settle(job: Job, answer: () => void): void {
    if (job.isOver) return;
    job.isOver = true;
    answer();
  }

  function open(): Thread {
    const worker = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    const thread: Thread = { worker, job: null, idle: undefined };
    threads.add(thread);
    // A process that has nothing else to do may end.
    worker.unref();
    worker.on('message', (said: FromThread) => {
      const { job } = thread;
      thread.job = null;
      clearTimeout(job?.limit);
      if (job) settle(job, () => (said.kind === 'done' ? job.resolve(said.result) : job.reject(said.error)));
      rest(thread);
    });
    worker.on('error', (error) => {
      logger.error(
        { err: error, threads: purpose },
        'A thread of the API ended with an error; the next work opens another',
      );
    });
    worker.on('exit', () => {
      forget(thread);
      const { job } = thread;
      clearTimeout(job?.limit);
      if (job) settle(job, () => job.reject(new UnavailableError('the thread of this request has ended')));
      next();
    });
    return thread;
  }

  function forget(thread: Thread): void {
    clearTimeout(thread.idle);
    threads.delete(thread);
  }

  function rest(thread: Thread): void {
    next();
    if (thread.job || !threads.has(thread)) return;
    clearTimeout(thread.idle);
    thread.idle = setTimeout(() => end(thread), IDLE_MS).unref();
  }

  function end(thread: Thread): void {
    forget(thread);
    void thread.worker.terminate();
  }

  /** Gives what waits to the threads that are free. */
  function next(): void {
    for (const [owner, jobs] of [...waiting]) {
      if (closed || runningFor(owner)) continue;
      const free = [...threads].find(({ job }) => job === null);
      if (!free && threads.size >= count) return;
      const job = jobs.shift();
      waiting.delete(owner);
      // Its owner comes after all others the next time.
      if (jobs.length > 0) waiting.set(owner, jobs);
      if (job) begin(free ?? open(), job);
    }
  }

  function begin(thread: Thread, job: Job): void {
    clearTimeout(thread.idle);
    thread.job = job;
    const { name, given, options } = job;
    say(thread, { kind: 'job', name, given }, options.handOver);
    if (options.parts) void feed(thread, job, options.parts);
  }

  function say({ worker }: Thread, message: ToThread, handOver: readonly Transferable[] = []): void {
    worker.postMessage(message, handOver);
  }

  async function feed(thread: Thread, job: Job, parts: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const part of parts) {
        if (job.isOver) break;
        say(thread, { kind: 'part', part });
      }
    } catch (error) {
      settle(job, () => job.reject(error));
    }
    if (thread.job === job) say(thread, { kind: job.isOver ? 'stop' : 'end' });
  }

  /** The caller gets no result. What waits is forgotten; what is under way is still held to its time. */
  function giveUp(job: Job, why: unknown): void {
    settle(job, () => job.reject(why));
    const jobs = waiting.get(job.owner) ?? [];
    if (!jobs.includes(job)) return;
    clearTimeout(job.limit);
    if (jobs.length > 1)
      waiting.set(
        job.owner,
        jobs.filter((one) => one !== job),
      );
    else waiting.delete(job.owner);
  }

  function takesTooLong(job: Job): void {
    const thread = [...threads].find((one) => one.job === job);
    giveUp(job, new UnavailableError('the work for this request took too long'));
    if (!thread) return;
    logger.error({ threads: purpose, job: job.name }, 'A thread of the API took too long, and was ended');
    end(thread);
  }

  return {
    async run<Name extends JobName>(
      owner: string,
      name: Name,
      given: Given<Name>,
      options: JobOptions<Name>,
    ): Promise<Result<Name>> {
      const ofOwner = waiting.get(owner)?.length ?? 0;
      if (closed || ofOwner >= WAITING_OF_OWNER_MAX || waitingInAll() >= WAITING_MAX) {
        throw new UnavailableError(`too much work waits for the threads of ${purpose}`);
      }
      options.signal.throwIfAborted();
      let gone = (): void => undefined;
      const result = new Promise<Result<Name>>((resolve, reject) => {
        const job: Job = {
          owner,
          name,
          given,
          options,
          resolve: resolve as (result: unknown) => void,
          reject,
          isOver: false,
          limit: setTimeout(() => takesTooLong(job), withinMs).unref(),
        };
        gone = () => giveUp(job, options.signal.reason);
        waiting.set(owner, [...(waiting.get(owner) ?? []), job]);
        next();
      });
      options.signal.addEventListener('abort', gone);
      return result.finally(() => options.signal.removeEventListener('abort', gone));
    },
    async close() {
      closed = true;
      for (const job of [...waiting.values()].flat()) giveUp(job, new UnavailableError('the API ends'));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
