/** docs/personal-data.md shows the table by which a person is erased. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { erasureWarnings, PERSONAL_DATA } from '../../../src/domain/personal-data';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'personal-data.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.+?) +\| (erased|kept: .+?) +\|$/gm)].map(([, what, does]) => ({
  what,
  does,
}));

test('the page has every class of data with what an erasure does, in the order of the table', () => {
  const table = Object.values(PERSONAL_DATA).map(({ what, keptBecause }) => ({
    what,
    does: keptBecause === null ? 'erased' : `kept: ${keptBecause}`,
  }));
  expect(rows).toEqual(table);
});

test.each([
  ['the day before five years are over', '2031-02-27T10:00:00Z', 1],
  ['a moment before', '2031-02-28T09:59:59.999Z', 1],
  ['when they are over', '2031-02-28T10:00:00Z', 0],
])('who erases is warned of the period of AML law: %s', (_when, now, warnings) => {
  const told = erasureWarnings('wallet', new Date('2026-02-28T10:00:00Z'), new Date(now));
  expect(told).toHaveLength(warnings);
  for (const warning of told)
    expect(warning).toContain('on 2026-02-28. AML law asks to keep records of a customer until 2031-02-28');
});
