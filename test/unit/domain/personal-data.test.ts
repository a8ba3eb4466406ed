/** docs/personal-data.md shows the table by which a person is erased. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERSONAL_DATA } from '../../../src/domain/personal-data';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'personal-data.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.+?) +\| (erased|kept: .+?) +\|$/gm)].map(([, what, does]) => ({
  what,
  does,
}));

test('the page has every class of data with what an erasure does, in the order of the table', () => {
  const table = PERSONAL_DATA.map(({ what, keptBecause }) => ({
    what,
    does: keptBecause === null ? 'erased' : `kept: ${keptBecause}`,
  }));
  expect(rows).toEqual(table);
});
