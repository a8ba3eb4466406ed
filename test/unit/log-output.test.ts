/** Where the lines of the log go: whole, in their order, and none is lost. */
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logOutput } from '../../src/runtime/log-output';
import { createLogger, frequentLines } from '../../src/runtime/process';
import { until } from '../support/until';

const REFERENCE = join(__dirname, '../../openapi.reference.json');
const folder = mkdtempSync(join(tmpdir(), 'log-'));
afterAll(() => rmSync(folder, { recursive: true }));

function openLog(name: string) {
  const file = join(folder, name);
  const logger = createLogger({ LOG_LEVEL: 'info' }, 'test', logOutput(openSync(file, 'w')));
  const read = (): { msg: string; secret?: string }[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { msg: string });
  return { logger, read };
}

test('lines that report no trouble are written a little later, in their order', async () => {
  const { logger, read } = openLog('later');
  for (let count = 0; count < 3; count++) logger.info(`line ${count}`);
  const lines = await until('three lines', () => read().length === 3 && read());
  expect(lines.map(({ msg }) => msg)).toEqual(['line 0', 'line 1', 'line 2']);
});

test('a warning waits for nothing, and is written after all that came before it', async () => {
  const { logger, read } = openLog('at-once');
  logger.info('before');
  logger.warn('trouble');
  const lines = await until('both lines', () => read().length > 0 && read());
  expect(lines.map(({ msg }) => msg)).toEqual(['before', 'trouble']);
});

test('no line is lost when there are many', async () => {
  const { logger, read } = openLog('many');
  const wanted = Array.from({ length: 500 }, (_, place) => `line ${place}`);
  for (const line of wanted) logger.info(line);
  const lines = await until('all lines', () => read().length === wanted.length && read());
  expect(lines.map(({ msg }) => msg)).toEqual(wanted);
});

/** The names of all properties that the reference document marks as secret, and not as personal. */
function secretNames(node: unknown, name = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, value]: [string, object]) =>
    key === 'properties'
      ? Object.entries(value).flatMap(([property, schema]) => secretNames(schema, property))
      : secretNames(value, name),
  );
  return 'x-sensitive' in node && !('x-personal' in node) ? [name, ...inside] : inside;
}

test('no field that the interface marks as secret reaches a line, however deep it lies', async () => {
  const names = new Set(secretNames(JSON.parse(readFileSync(REFERENCE, 'utf8'))));
  expect([...names].sort()).toEqual(expect.arrayContaining(['bvn', 'pin', 'recovery_codes']));
  const { logger, read } = openLog('fields');
  for (const name of names) logger.warn({ [name]: 'canary', body: { [name]: 'canary' } }, name);
  await until('all lines', () => read().length === names.size);
  const shown = read().filter((line) => JSON.stringify(line).includes('canary'));
  // The code of a refusal has the name of the one-time code.
  expect(shown.map(({ msg }) => msg)).toEqual(['code']);
});

test('only the lines that are written often are not searched for secret fields', async () => {
  const { logger, read } = openLog('secrets');
  frequentLines(logger).info('of many');
  logger.warn({ secret: 'canary', deep: { secret: 'canary' } }, 'of few');
  await until('both lines', () => read().length === 2);
  expect(read()).toMatchObject([{ msg: 'of many' }, { msg: 'of few', secret: '[secret]' }]);
  expect(JSON.stringify(read())).not.toContain('canary');
});
