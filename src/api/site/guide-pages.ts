/** Guides as pages and as Markdown, made when the programs are built. Links between them lead to where the API serves them. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked } from 'marked';
import { ALL_GUIDES, GUIDES, type Guide } from './guides';
import { escaped, page } from './layout';

export interface GuidePage {
  slug: string;
  title: string;
  /** What it is about, in plain text. */
  about: string;
  markdown: string;
  html: string;
}

export interface GuideGroup {
  group: string;
  pages: readonly GuidePage[];
}

/** All guides, by what they are for. @param root the folder of the project. */
export const guideGroups = (root: string): GuideGroup[] =>
  GUIDES.map(({ group, guides }) => ({ group, pages: guides.map((guide) => pageOf(root, guide)) }));

function pageOf(root: string, { slug, file }: Guide): GuidePage {
  const text = readFileSync(join(root, file), 'utf8').replace(/^<!--.*?-->\s*/s, '');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? slug;
  const about = plain(/^# .+\n+((?:[^\n#|`<-][^\n]*\n?)+)/m.exec(text)?.[1] ?? '');
  return {
    slug,
    title: plain(title),
    about,
    markdown: withServedLinks(text, file, '.md'),
    html: page({
      title: plain(title),
      body: `<main class="text">${rendered(withServedLinks(text, file, ''))}</main>`,
      more: `<a href="/guides/${slug}.md">As Markdown</a>`,
    }),
  };
}

/** `/guides`. */
export function guidesIndex(groups: readonly GuideGroup[]): string {
  const lists = groups.map(({ group, pages }) => {
    const items = pages.map(
      ({ slug, title, about }) =>
        `<li><a href="/guides/${slug}">${escaped(title)}</a><p>${escaped(about)}</p></li>`,
    );
    return `<h2>${group}</h2><ul class="guides">${items.join('')}</ul>`;
  });
  return page({ title: 'Guides', body: `<main><h1>Guides</h1>${lists.join('')}</main>` });
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A link of a page, outside of code: to a guide that is served, to a file of the project that is not, or elsewhere. */
const LINK = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const SERVED: Readonly<Record<string, string>> = {
  'openapi.json': '/openapi.json',
  'openapi.reference.json': '/openapi.reference.json',
  'docs/postman.json': '/postman.json',
};

function withServedLinks(text: string, file: string, suffix: '' | '.md'): string {
  return text
    .split(/^(```[^]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(LINK, (whole, label: string, target: string) => {
            if (/^(?:https?:|mailto:|#)/.test(target)) return whole;
            const [path = '', anchor] = target.split('#');
            const inProject = posix.normalize(posix.join(posix.dirname(file), path));
            const guide = ALL_GUIDES.find((one) => one.file === inProject);
            const to = guide ? `/guides/${guide.slug}${suffix}` : SERVED[inProject];
            if (to === undefined) return label;
            return `[${label}](${to}${anchor === undefined ? '' : `#${anchor}`})`;
          }),
    )
    .join('');
}

/** Headings get the anchors that GitHub gives them, because that is what the links in the pages name. */
function rendered(markdown: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/&[^;]+;/g, '');
        const name = text
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(/\s/g, '-');
        const times = seen.get(name) ?? 0;
        seen.set(name, times + 1);
        const id = times === 0 ? name : `${name}-${String(times)}`;
        const level = String(depth);
        return `<h${level} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${level}>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: 'th' | 'td'): string =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((row) => cells(row, 'td')).join('');
        return `<div class="wide" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}
