/** openapi.json, docs/reference and the collections are up to date, so that a review shows every change of the interface. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MADE_FILES } from '../../../tools/reference/files';

const files = Object.entries(MADE_FILES).flatMap(([script, made]) =>
  Object.entries(made).map(([file, make]) => [file, script, make] as const),
);

test.each(files)('%s is as `npm run %s` makes it', (file, _script, make) => {
  // The test shows no diff, because the texts are long; running the script shows it.
  expect(readFileSync(join(__dirname, '../../..', file), 'utf8') === make()).toBe(true);
});

test('there is no file of requests for a scenario that is gone', () => {
  const kept = readdirSync(join(__dirname, '../../../docs/requests')).map((name) => `docs/requests/${name}`);
  expect(kept.filter((file) => !(file in MADE_FILES.reference))).toEqual([]);
});
