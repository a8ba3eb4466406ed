/** What runs in a thread beside the event loop: one piece of work after the other, as `threads.ts` asks for it. */
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { present } from '../../domain/assert';
import { JOBS, type JobName } from './jobs';
import type { FromThread, ToThread } from './threads';

/** The parts of the work that is under way: those that have come, and whoever waits for the next one. */
interface Inbox {
  parts: unknown[];
  end: 'end' | 'stop' | null;
  wake: () => void;
}

/**
 * Where processors are scarce the event loop comes first, and with it everybody's payments. Linux gives a thread a priority of its
 * own; elsewhere it would be that of the whole process.
 */
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

const port = present(parentPort, 'the other side of this thread');
let inbox: Inbox;

async function* partsOf(from: Inbox): AsyncGenerator {
  for (;;) {
    if (from.parts.length > 0) yield from.parts.shift();
    else if (from.end === 'stop') throw new Error('nobody waits for this work any more');
    else if (from.end === 'end') return;
    else await new Promise<void>((resolve) => (from.wake = resolve));
  }
}

async function work(name: JobName, given: unknown): Promise<void> {
  inbox = { parts: [], end: null, wake: () => undefined };
  const job = JOBS[name] as (given: unknown, parts: AsyncIterable<unknown>) => unknown;
  let said: FromThread;
  try {
    said = { kind: 'done', result: await job(given, partsOf(inbox)) };
  } catch (error) {
    said = { kind: 'failed', error };
  }
  port.postMessage(said);
}

port.on('message', (said: ToThread) => {
  if (said.kind === 'job') void work(said.name, said.given);
  else {
    if (said.kind === 'part') inbox.parts.push(said.part);
    else inbox.end = said.kind;
    inbox.wake();
  }
});
