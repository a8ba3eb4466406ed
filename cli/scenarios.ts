/**
 * Scenarios: what a partner does and what comes of it, as JSON in `scenarios/`. A step calls an operation by its name in
 * the SDK; `${run}` is new at each run, `${soon}` is a time in a few seconds, and `${ada.id}` is a field of the answer to the step `ada`.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import type { StreamedEvent, Wallet } from '../sdk/src';
import type { Operation } from './operations';
import { projectFile } from './project';

export interface Step {
  id: string;
  /** The operation, as `transfers.p2p`. */
  call: string;
  /** The parts of its path, in their order. */
  path?: string[];
  body?: Record<string, unknown>;
  /** The event that is awaited after the call. */
  wait?: { event: string; resource_id: string; seconds: number };
}

/** An event did not come. */
class ScenarioError extends Error {}

const FOLDER = 'scenarios';
const LOOK_EVERY_MS = 50;
const SOON_MS = 2_000;

/** The events that have a scenario. */
export const triggers = (): string[] =>
  readdirSync(projectFile(FOLDER))
    .map((file) => file.replace(/\.json$/, ''))
    .sort();

export const readScenario = (name: string): { steps: Step[] } =>
  JSON.parse(readFileSync(projectFile(FOLDER, `${name}.json`), 'utf8')) as { steps: Step[] };

/**
 * Runs the steps one after the other.
 * @param say is told each step as it is done.
 * @returns the events that were awaited.
 * @throws ScenarioError when one of them does not come.
 */
export async function runScenario(
  wallet: Wallet,
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
    for (const { id, call, path = [], body, wait } of steps) {
      const operation = operations.find(({ name }) => name === call);
      if (!operation) throw new ScenarioError(`there is no operation ${call}`);
      answers['soon'] = new Date(Date.now() + SOON_MS).toISOString();
      const parts = filled(path);
      const to = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(parts.shift() ?? ''));
      answers[id] = await wallet.call(
        operation.retry,
        operation.method,
        to,
        body ? { body: filled(body) } : {},
      );
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

/** A verification is known by its owner, before it has an id. */
const isAbout = (data: object, id: string): boolean =>
  [(data as { id?: string }).id, (data as { user_ref?: string }).user_ref].includes(id);

function at(answers: Record<string, unknown>, place: string): string {
  const value = place
    .split('.')
    .reduce<unknown>((of, name) => (of as Record<string, unknown>)[name], answers);
  if (typeof value !== 'string') throw new ScenarioError(`there is no ${place}`);
  return value;
}
