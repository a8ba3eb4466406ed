/**
 * How a company's list is read: page after page until an empty one, never by the size that was asked for or by a number of
 * pages, because a company may give shorter pages than it was asked for and count them in its own way (R53).
 */

/** A list is never so long. A company whose pages do not end is not read for ever. */
const PAGES_MAX = 10_000;
/** A company that knows no pages gives the same one again and again. So often nothing new is the end as well. */
const REPEATED_PAGES = 2;

/** A company has not told its list to the end, so nothing is known of what is missing. */
export class NoListError extends Error {}

/**
 * Reads a list.
 * @param company as errors name it.
 * @param read gives the rows of one page as the company has written them, from page 1 on.
 * @returns each page with something in it. A row may come twice where rows are added meanwhile.
 * @throws NoListError where the list does not end; and what `read` throws.
 */
export async function* pagesOf<Row>(
  company: string,
  read: (page: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let before = new Set<string>();
  let repeated = 0;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const rows = await read(page);
    if (rows.length === 0) return;
    const now = new Set(rows.map((row) => JSON.stringify(row)));
    repeated = [...now].every((row) => before.has(row)) ? repeated + 1 : 0;
    if (repeated === 0) yield rows;
    if (repeated === REPEATED_PAGES) return;
    before = now;
  }
  throw new NoListError(`${company} tells a list that does not end`);
}

/** All items of a list that is read in pages. */
export async function allOf<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
