/** The lines about webhooks that a running sandbox prints. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptLines, follow } from '../../tools/launcher/live-lines';
import { until } from '../support/until';

const entry = (more: object): string =>
  JSON.stringify({ level: 30, msg: 'The worker attempted a webhook', ...more });
const attempt = { event: 'transaction.completed', webhookId: 'wh_1', url: 'http://127.0.0.1:9/hook' };

test.each<[what: string, log: string, lines: string[] | null]>([
  [
    'an answered attempt',
    entry({ ...attempt, answer: 200 }),
    ['--> transaction.completed [wh_1]', '<--  [200] POST http://127.0.0.1:9/hook'],
  ],
  [
    'an attempt that failed',
    entry({ ...attempt, answer: 'connection refused' }),
    ['--> transaction.completed [wh_1]', '<--  [connection refused] POST http://127.0.0.1:9/hook'],
  ],
  ['another entry', JSON.stringify({ level: 30, msg: 'ready' }), null],
  ['an attempt without its id', entry({ event: 'x', url: 'y', answer: 200 }), null],
  ['text that is no entry', 'Error: something', null],
  ['an empty line', '', null],
])('%s', (_what, log, lines) => expect(attemptLines(log)).toEqual(lines));

test('a growing file is read from now on, whole lines only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-live-lines-'));
  const file = join(folder, 'log');
  writeFileSync(file, 'before\n');
  const seen: string[] = [];
  follow(file, (line) => seen.push(line));
  appendFileSync(file, 'one\ntwo\nth');
  await until('two lines', () => seen.length === 2);
  appendFileSync(file, 'ree ₦\n');
  await until('a third line', () => seen.length === 3);
  // When the program is started again, the old log is moved aside and a new one begins.
  renameSync(file, `${file}.before`);
  writeFileSync(file, 'four\n');
  await until('a fourth line', () => seen.length === 4);
  expect(seen).toEqual(['one', 'two', 'three ₦', 'four']);
  rmSync(folder, { recursive: true });
});
