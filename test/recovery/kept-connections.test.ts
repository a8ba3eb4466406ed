/**
 * Callers that keep their connections meet no reset when an API is replaced: they are told to use another connection, and one
 * that is quiet is closed only when its callers have had a second to come back.
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../support/children';
import { openPlatform, type Platform } from '../support/platform';

/** Each has a connection of its own. */
const CALLERS = 60;
/** The longest pause of a caller, and so the longest time for which a connection in use is quiet. */
const PAUSE_MS = 600;
const RESTARTS = 3;

let platform: Platform;
let key: string;
/** A load balancer leaves out a process that is told to end. */
let apis: Child[];

beforeAll(async () => {
  platform = await openPlatform();
  const inProcess = await platform.startApi();
  key = (await platform.partner(inProcess)).key;
  apis = [await platform.startChild('api'), await platform.startChild('api')];
});
afterAll(() => platform.close());

interface Seen {
  answers: number;
  told: number;
  failures: string[];
}

async function call(agent: Agent, port: number, seen: Seen): Promise<void> {
  const asking = request({
    agent,
    host: '127.0.0.1',
    port,
    path: '/v1/wallets',
    headers: { Authorization: `Bearer ${key}` },
  }).end();
  try {
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    seen.answers += 1;
    if (answer.headers.connection === 'close') seen.told += 1;
    if (answer.statusCode !== 200) seen.failures.push(`status ${String(answer.statusCode)}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    seen.failures.push(`${code ?? message} on a ${asking.reusedSocket ? 'kept' : 'new'} connection`);
  }
}

async function keepCalling(until: AbortSignal, seen: Seen, caller: number): Promise<void> {
  const agents = new Map<number, Agent>();
  for (let n = caller; !until.aborted; n += 1) {
    const { port } = apis[n % apis.length]!;
    const agent = agents.get(port) ?? new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(port, agent);
    await call(agent, port, seen);
    await sleep((PAUSE_MS / 2) * ((caller + n) % 2 === 0 ? 1 : Math.random()));
  }
  for (const agent of agents.values()) agent.destroy();
}

test('a rolling restart under load resets no request on a kept connection', async () => {
  const seen: Seen = { answers: 0, told: 0, failures: [] };
  const end = new AbortController();
  const calling = Array.from({ length: CALLERS }, (_, caller) => keepCalling(end.signal, seen, caller));
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const leaving = apis[restart % 2]!;
    apis[restart % 2] = await platform.startChild('api');
    // Connections to the leaving one stay with the callers, who go on using them for a while.
    apis.push(leaving);
    await sleep(1_000);
    leaving.signal('SIGTERM');
    await sleep(600);
    apis.pop();
    expect(await leaving.ended).toBe('code 0');
  }
  end.abort();
  await Promise.all(calling);
  expect(seen.failures).toEqual([]);
  expect(seen.told).toBeGreaterThan(0);
  expect(seen.answers).toBeGreaterThan(1_000);
});
