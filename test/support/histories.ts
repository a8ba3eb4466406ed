/** Kept histories of workflows: one JSON file each, without the names of processes and hosts. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporal } from '@temporalio/proto';

const { History } = temporal.api.history.v1;
export type WorkflowHistory = temporal.api.history.v1.IHistory;

const FOLDER = join(__dirname, '..', 'histories');

/** The names of all kept histories. */
export const keptHistories = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));

export function readHistory(name: string): WorkflowHistory {
  return History.fromObject(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));
}

/**
 * Keeps a history as `<name>.json`, or beside the earlier ones as `<name>.<patch>.json` where the run names a
 * patch.
 */
export function keepHistory(name: string, history: WorkflowHistory): void {
  const [, , patch] = process.argv;
  const text = JSON.stringify(History.fromObject(history).toJSON(), withoutPlace, 2);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}${patch ? `.${patch}` : ''}.json`), `${text}\n`);
}

/** The whole text of a history with its payloads decoded, to look for secrets in it. */
export const historyText = (history: WorkflowHistory): string =>
  Buffer.from(History.encode(history).finish()).toString('latin1');

/** Removes processes, hosts and stack traces with file paths, which no replay reads. */
function withoutPlace(key: string, value: unknown): unknown {
  if (key === 'identity' || key === 'stackTrace') return undefined;
  return typeof value === 'string' && /^\d+@/.test(value) ? 'a worker' : value;
}
