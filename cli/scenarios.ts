/**
 * Scenarios: what a partner does and what comes of it, as JSON in `scenarios/`. A step calls an operation by its name in
 * the SDK; `${run}` is new at each run, `${soon}` is a time in a few seconds, and `${ada.id}` is a field of the answer to the step `ada`.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { ApiError, type StreamedEvent, type WalletClient } from '../sdk/src';
import { callOf, type Operation } from './operations';
import { projectFile } from './project';
import { UsageError } from './usage';

export interface Step {
  id: string;
  /** The operation, as `transfers.p2p`. */
  call: string;
  /** The parts of its path, in their order. */
  path?: string[];
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** What the answer must be: fields of it, or the code of the refusal. */
  expect?: Record<string, unknown>;
  /** The event that is awaited after the call. */
  wait?: { event: string; resource_id: string; seconds: number };
}

/** An event did not come, or an answer was another one than expected. */
class ScenarioError extends Error {}

const FOLDER = 'scenarios';
const LOOK_EVERY_MS = 50;
const SOON_MS = 2_000;

/** The events that have a scenario. */
export const triggers = (): string[] =>
  readdirSync(projectFile(FOLDER))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort();

/** The scenario that makes an event. */
export const triggerOf = (event: string): Step[] => readSteps(projectFile(FOLDER, `${event}.json`));
/** Wallets with money and payments, to look at. */
export const seed = (): Step[] => readSteps(projectFile(FOLDER, 'runs', 'seed.json'));

/** The steps in a file. @throws UsageError for a file that is not there, or is no scenario. */
export function readSteps(path: string): Step[] {
  try {
    const { steps } = JSON.parse(readFileSync(path, 'utf8')) as { steps?: Step[] };
    if (Array.isArray(steps)) return steps;
  } catch (error) {
    throw new UsageError(`${path} is no scenario: ${(error as Error).message}`);
  }
  throw new UsageError(`${path} is no scenario: it has no steps`);
}

/**
 * Runs the steps one after the other.
 * @param say is told each step as it is done.
 * @returns the events that were awaited.
 * @throws ScenarioError when one of them does not come.
 */
export async function runScenario(
  wallet: WalletClient,
  operations: readonly Operation[],
  steps: readonly Step[],
  say: (line: string) => void,
): Promise<StreamedEvent[]> {
  const ended = new AbortController();
  const heard: StreamedEvent[] = [];
  const stream = { isReady: false, failure: null as unknown };
  const onNotice = ({ notice }: { notice: string }): void => {
    stream.isReady ||= notice === 'ready';
  };
  const listening = (async () => {
    for await (const one of wallet.events.stream({ signal: ended.signal, onNotice })) heard.push(one);
  })().catch((error: unknown) => {
    stream.failure = error;
  });
  const awaited: StreamedEvent[] = [];
  const answers: Record<string, unknown> = { run: randomBytes(4).toString('hex') };
  const filled = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value), (_name, text: unknown) =>
      typeof text === 'string'
        ? text.replaceAll(/\$\{([\w.]+)\}/g, (_all, place: string) => at(answers, place))
        : text,
    ) as Value;
  const find = ({
    event: kind,
    resource_id: id,
    seconds,
  }: NonNullable<Step['wait']>): Promise<StreamedEvent> =>
    seen(kind, () => heard.find(({ event }) => event.event === kind && isAbout(event.data, id)), seconds);

  try {
    await seen('the stream', () => stream.isReady, 30);
    for (const { id, call, path = [], body, headers, expect, wait } of steps) {
      const operation = operations.find(({ name }) => name === call);
      if (!operation) throw new ScenarioError(`there is no operation ${call}`);
      answers['soon'] = new Date(Date.now() + SOON_MS).toISOString();
      const { data, requestId } = await callOf(wallet, operation, {
        parts: filled(path),
        body: body && filled(body),
        options: { ...(headers && { headers }) },
      })
        .withResponse()
        .catch((error: unknown) => {
          if (expect && error instanceof ApiError)
            return { data: { code: error.code }, requestId: error.requestId };
          throw error;
        });
      if (expect) compare(id, expect, data, requestId);
      answers[id] = data;
      say(`${call}: ${id}`);
      if (wait) {
        const event = await find(filled(wait));
        awaited.push(event);
        say(`${event.event.event} [${event.event.webhook_id}]`);
      }
    }
  } finally {
    ended.abort();
    await listening;
  }
  return awaited;

  async function seen<Seen>(what: string, look: () => Seen, seconds: number): Promise<NonNullable<Seen>> {
    for (const startedAt = Date.now(); Date.now() - startedAt < seconds * 1_000;) {
      if (stream.failure !== null) throw stream.failure as Error;
      const found = look();
      if (found) return found;
      await sleep(LOOK_EVERY_MS);
    }
    throw new ScenarioError(`${what} did not come within ${String(seconds)} seconds`);
  }
}

/** @throws ScenarioError with both sides, where a field that is expected is another one. */
function compare(
  id: string,
  expected: Record<string, unknown>,
  data: unknown,
  requestId: string | null,
): void {
  const got = Object.fromEntries(
    Object.keys(expected).map((name) => [name, (data as Record<string, unknown> | null)?.[name]]),
  );
  if (JSON.stringify(got) === JSON.stringify(expected)) return;
  const sides = `expected ${JSON.stringify(expected)}, and got ${JSON.stringify(data)}`;
  throw new ScenarioError(`${id}: ${sides} (${requestId ?? 'no request id'})`);
}

/** A verification is known by its owner, before it has an id; a payment by USSD by its session. */
const isAbout = (data: object, id: string): boolean =>
  ['id', 'user_ref', 'session_id'].some((name) => (data as Record<string, unknown>)[name] === id);

function at(answers: Record<string, unknown>, place: string): string {
  const value = place
    .split('.')
    .reduce<unknown>((of, name) => (of as Record<string, unknown>)[name], answers);
  if (typeof value !== 'string') throw new ScenarioError(`there is no ${place}`);
  return value;
}
