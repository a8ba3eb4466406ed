/** Parts that die, hang or never come back, with real programs and short times. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { printer } from '../../tools/launcher/print';
import { createSupervisor, type Part } from '../../tools/launcher/supervisor';
import { freePort } from '../../tools/launcher/ports';
import { until } from '../support/until';

const TIMES = {
  lookEveryMs: 100,
  answerWithinMs: 300,
  firstWaitMs: 10,
  failuresMax: 3,
  failuresWithinMs: 60_000,
};

const started: ChildProcess[] = [];
const supervisors: ReturnType<typeof createSupervisor>[] = [];

afterEach(async () => {
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop()));
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function supervise() {
  const lines: string[] = [];
  const sentences: string[] = [];
  const print = {
    ...printer(process.stdout),
    line: (text: string) => void lines.push(text),
    done: () => undefined,
  };
  const supervisor = createSupervisor(print, (sentence) => void sentences.push(sentence), TIMES);
  supervisors.push(supervisor);
  return { supervisor, lines, sentences };
}

/** A program that answers HTTP on `port`; with `endAtOnce` it ends as soon as it listens. */
function server(name: string, port: number, endAtOnce = () => false, stopped: string[] = []): Part {
  return {
    name,
    async start() {
      const code = `require('http').createServer((q, s) => s.end('ok')).listen(${String(port)}, '127.0.0.1', () => console.log('up'))`;
      const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
      started.push(child);
      const ended = once(child, 'exit').then(([exitCode, signal]) => String(signal ?? exitCode));
      await once(child.stdout, 'data');
      if (endAtOnce()) child.kill('SIGKILL');
      return {
        ended,
        logFile: join(projectFolder(), `${name}.log`),
        stop: async () => {
          stopped.push(name);
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    isWell: async () => (await fetch(`http://127.0.0.1:${String(port)}`)).ok,
  };
}

const answers = (port: number) => () =>
  fetch(`http://127.0.0.1:${String(port)}`).then(
    ({ ok }) => ok,
    () => false,
  );

test('a part that was killed is told in one sentence and runs again at the same address', async () => {
  const { supervisor, lines } = supervise();
  const port = await freePort();
  await supervisor.bring(server('Temporal', port));
  started[0]?.kill('SIGKILL');
  await once(started[0] as ChildProcess, 'exit');
  await until('the part to answer again', answers(port));
  expect(lines).toEqual(['  ! Temporal ended (SIGKILL). It is started again; its log is Temporal.log']);
  expect(started).toHaveLength(2);
});

test('a part that runs and does not answer any more is started again', async () => {
  const { supervisor, lines } = supervise();
  const port = await freePort();
  await supervisor.bring(server('Temporal', port));
  started[0]?.kill('SIGSTOP');
  await until('the part to be started again', () => started.length === 2);
  await until('the part to answer again', answers(port));
  expect(lines).toEqual([
    '  ! Temporal does not answer any more. It is started again; its log is Temporal.log',
  ]);
});

test('a part that cannot be kept running ends the sandbox with a sentence', async () => {
  const { supervisor, sentences } = supervise();
  let isBroken = false;
  await supervisor.bring(server('Worker', await freePort(), () => isBroken));
  isBroken = true;
  started[0]?.kill('SIGKILL');
  await until('the end of the sandbox', () => sentences.length > 0);
  expect(sentences).toEqual(['Worker failed 4 times in a short while. Its log is Worker.log']);
});

test('the end stops the parts, the last one started first, and starts none of them again', async () => {
  const { supervisor, lines } = supervise();
  const stopped: string[] = [];
  for (const name of ['Postgres', 'Temporal', 'API']) {
    await supervisor.bring(server(name, await freePort(), undefined, stopped));
  }
  await supervisor.stop();
  await supervisor.stop();
  expect(stopped).toEqual(['API', 'Temporal', 'Postgres']);
  await new Promise((resolve) => setTimeout(resolve, 3 * TIMES.lookEveryMs));
  expect([started.length, lines]).toEqual([3, []]);
});
