/** openapi.json and docs/reference are what the code says: a change of the interface shows in its review. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MADE_FILES } from '../../../tools/reference/files';

const files = Object.entries(MADE_FILES).flatMap(([script, made]) =>
  Object.entries(made).map(([file, make]) => [file, script, make] as const),
);

test.each(files)('%s is as `npm run %s` makes it', (file, _script, make) => {
  // Without a diff: the texts are long, and the script says what is new.
  expect(readFileSync(join(__dirname, '../../..', file), 'utf8') === make()).toBe(true);
});
