/** Lists that companies give page by page. */

/** A list with nothing in it. */
export async function* noPages(): AsyncGenerator<never[]> {}

/** All pages of a list. */
export async function pagesIn<Item>(list: AsyncIterable<readonly Item[]>): Promise<(readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  for await (const page of list) pages.push(page);
  return pages;
}
