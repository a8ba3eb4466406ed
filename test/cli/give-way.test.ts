/** On one machine the worker and Temporal give way to whoever waits for an answer. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { giveWay } from '../../tools/launcher/give-way';

const { PRIORITY_LOW } = constants.priority;

function idleProcess() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pid = child.pid as number;
  return {
    pid,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('a process that gives way has a lower priority, and so has its session where Linux shares by session', async () => {
  const { pid, end } = idleProcess();
  giveWay(pid);
  expect(getPriority(pid)).toBe(PRIORITY_LOW);
  expect(readAutogroup(pid) ?? `nice ${PRIORITY_LOW}`).toContain(`nice ${PRIORITY_LOW}`);
  await end();
});

test('one that has ended already is no error', async () => {
  const { pid, end } = idleProcess();
  await end();
  expect(() => giveWay(pid)).not.toThrow();
});

function readAutogroup(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/autogroup`, 'utf8');
  } catch {
    return null; // a kernel without it
  }
}
