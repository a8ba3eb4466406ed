/** A company's list is read until an empty page, whatever the company says of the size and the number of its pages (R53). */
import { allOf, NoListError, pagesOf } from '../../../src/providers/lists';

/** A company with so many rows that gives so many of them at once. */
const company = (rows: number, atOnce: number) => {
  const asked: number[] = [];
  const read = (page: number): Promise<number[]> => {
    asked.push(page);
    const all = Array.from({ length: rows }, (_, row) => row);
    return Promise.resolve(all.slice((page - 1) * atOnce, page * atOnce));
  };
  return { asked, read };
};

test.each([
  ['nothing', 0, 100, 1],
  ['one page', 1, 100, 2],
  ['pages shorter than asked for', 101, 50, 4],
  ['a last page that is full', 100, 50, 3],
])('a list of %s is read whole', async (_what, rows, atOnce, questions) => {
  const { read, asked } = company(rows, atOnce);
  expect(await allOf(pagesOf('Tiny', read))).toHaveLength(rows);
  expect(asked).toHaveLength(questions);
});

test('a company that knows no pages gives its list once', async () => {
  expect(await allOf(pagesOf('Tiny', () => Promise.resolve(['a', 'b'])))).toEqual(['a', 'b']);
});

test('a page like the one before is passed over, and the reading goes on', async () => {
  const pages = [['a'], ['a'], ['b'], []];
  expect(await allOf(pagesOf('Tiny', (page) => Promise.resolve(pages[page - 1] ?? [])))).toEqual(['a', 'b']);
});

test('a list that does not end is no list', async () => {
  const endless = pagesOf('Tiny', (page) => Promise.resolve([page]));
  await expect(allOf(endless)).rejects.toThrow(NoListError);
});

test('a page that cannot be read stops the reading', async () => {
  const broken = pagesOf('Tiny', (page) =>
    page === 1 ? Promise.resolve([1]) : Promise.reject(new Error('no')),
  );
  await expect(allOf(broken)).rejects.toThrow('no');
});
