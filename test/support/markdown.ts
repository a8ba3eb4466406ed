/** What the tests read of a Markdown page: its headings, its anchors and its links. */

export interface Heading {
  /** The title without the marks of code. */
  title: string;
  /** The text below the heading, with that of its sub-headings. */
  body: string;
}

const withoutCode = (page: string): string => page.replaceAll(/^```[^]*?^```$/gm, '');

export function headingsIn(page: string): Heading[] {
  const lines = withoutCode(page).split('\n');
  const levelOf = (line: string): number => /^(#{1,6}) /.exec(line)?.[1]?.length ?? Infinity;
  return lines.flatMap((line, place) => {
    const level = levelOf(line);
    if (level === Infinity) return [];
    const length = lines.slice(place + 1).findIndex((next) => levelOf(next) <= level);
    const body = lines.slice(place + 1, length < 0 ? undefined : place + 1 + length);
    return [
      {
        title: line
          .slice(level + 1)
          .replaceAll('`', '')
          .trim(),
        body: body.join('\n'),
      },
    ];
  });
}

/** The anchors of a page: those that GitHub makes of the headings, and those given by `id`. */
export function anchorsIn(page: string): string[] {
  const names: string[] = [];
  for (const { title } of headingsIn(page)) {
    const text = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const before = names.filter((other) => other === name || other.startsWith(`${name}-`)).length;
    names.push(names.includes(name) ? `${name}-${String(before)}` : name);
  }
  return [...names, ...[...page.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)];
}

/** The targets of a page's links, as they are written. */
export const linksIn = (page: string): string[] =>
  [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
